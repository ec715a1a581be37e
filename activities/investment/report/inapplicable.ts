import { amountInWords, MAX_AMOUNT_MINOR } from '../../../workflows/commerce/money.rules';

/**
 * A report that can never be applied as it is. The message is the reason that operators read: with the ids, amounts and bounds
 * that they decide by, and no personal data.
 */
export class Inapplicable extends Error {}

/** An amount in such a reason; one that is too large to be shown is the largest that can be. */
export const inWords = (amountMinor: number, currency: string): string =>
  amountInWords(Math.min(Math.max(amountMinor, -MAX_AMOUNT_MINOR), MAX_AMOUNT_MINOR), currency);
