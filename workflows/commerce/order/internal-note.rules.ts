import { businessRefusal } from '../../errors';

/** The longest internal note of an order, in characters. */
export const INTERNAL_NOTE_LENGTH = 2_000;

/** The most internal notes of one order. */
export const MOST_INTERNAL_NOTES = 200;

/** The refusal of a note to an order that has as many as it may have. */
export const tooManyInternalNotes = (): Error =>
  businessRefusal('TOO_MANY_NOTES', `An order has at most ${MOST_INTERNAL_NOTES} internal notes.`, {
    internalNote: ['must be left out'],
  });
