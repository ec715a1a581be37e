/** The longest internal note of an order, in characters. */
export const INTERNAL_NOTE_LENGTH = 2_000;

/** The most internal notes of one order. */
export const MOST_INTERNAL_NOTES = 200;
