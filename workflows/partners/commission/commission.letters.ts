import { salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';

/** A commission that an administrator has adjusted, as its partner's mail shows it. */
export interface AdjustedLetterData {
  firstName: string;
  commissionId: string;
  previousMinor: number;
  newMinor: number;
  currency: string;
  reason: string;
}

const CHANGES = {
  HOLD: {
    subject: 'A commission is on hold',
    says: ({ previousMinor, currency }: AdjustedLetterData) =>
      `Your commission of ${amountInWords(previousMinor, currency)} is on hold. It counts as pending until we have looked at it.`,
  },
  REVERSE: {
    subject: 'A commission was reversed',
    says: ({ previousMinor, currency }: AdjustedLetterData) =>
      `Your commission of ${amountInWords(previousMinor, currency)} was reversed. It is no longer in your balance.`,
  },
  ADJUST_AMOUNT: {
    subject: 'A commission was corrected',
    says: ({ previousMinor, newMinor, currency }: AdjustedLetterData) =>
      `Your commission of ${amountInWords(previousMinor, currency)} was corrected to ${amountInWords(newMinor, currency)}. Your balance follows.`,
  },
} as const;

/** A commission that was held, reversed or corrected. */
export const commissionAdjustedLetter = (action: keyof typeof CHANGES, data: AdjustedLetterData) => ({
  subject: CHANGES[action].subject,
  greeting: salutation(data.firstName),
  paragraphs: [
    CHANGES[action].says(data),
    [`Commission: ${data.commissionId}`, `Reason: ${data.reason}`],
    'If you think that this is a mistake, please answer to our support and name the commission.',
  ],
});
