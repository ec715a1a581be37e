/** The longest internal note of an order, in characters. */
export const INTERNAL_NOTE_LENGTH = 2_000;

/** The most internal notes of one order. */
export const MOST_INTERNAL_NOTES = 200;

/**
 * The same words by the same author count as one request sent again within this, and as a second event later. Longer than
 * clients, proxies and people wait before they send again; shorter than the pause before a person tries to reach a buyer anew.
 */
export const REPEATED_NOTE_MINUTES = 5;
