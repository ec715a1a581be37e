import { dayInWords, momentInWords, salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';
import { transferParagraphs, type TransferLetterData } from '../../commerce/payable/transfer-letter.rules';
import type { NotReinvested } from './reinvestment.rules';

/** A participation as its mails show it. */
export interface ParticipationLetterData {
  firstName: string;
  number: string;
  strategyName: string;
  amountMinor: number;
  currency: string;
  /** Null before it runs. */
  maturesAt: Date | null;
}

const amountOf = ({ amountMinor, currency }: ParticipationLetterData): string =>
  amountInWords(amountMinor, currency);

/** A participation that was paid, and runs. */
export const participationStartedLetter = (participation: ParticipationLetterData) => ({
  subject: `Your investment ${participation.number} has started`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `We have received your payment of ${amountOf(participation)}. It is now invested in ${participation.strategyName}.`,
    ...(participation.maturesAt === null
      ? []
      : [`Your investment ${participation.number} matures on ${dayInWords(participation.maturesAt)} (UTC).`]),
  ],
});

/** A participation that waits for a bank transfer. */
export const participationTransferLetter = (
  participation: ParticipationLetterData,
  transfer: TransferLetterData,
) => ({
  subject: `Your investment ${participation.number}`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `Thank you for your investment ${participation.number} in ${participation.strategyName}. It starts when we receive your payment.`,
    `Please transfer ${amountOf(participation)} to this account by ${momentInWords(transfer.payBy)}. An investment that is not paid by then is cancelled.`,
    ...transferParagraphs(transfer),
  ],
});

/** A participation that was not paid in time. */
export const participationUnpaidLetter = (participation: ParticipationLetterData) => ({
  subject: `Your investment ${participation.number} is cancelled`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `We have not received your payment of ${amountOf(participation)} for your investment in ${participation.strategyName}, so it is cancelled.`,
    'Money that arrives later is sent back to you.',
  ],
});

/** The amounts of a participation that has matured, in minor units. */
export interface MaturedLetterData {
  /** The part of it that is in the wallet now. */
  walletMinor: number;
  /** The participation that it was reinvested in; null: none. */
  next: { number: string; amountMinor: number; maturesAt: Date } | null;
  /** Why it was not reinvested, although its owner had requested that. */
  notReinvested: NotReinvested | null;
}

const WHY: Readonly<Partial<Record<NotReinvested, string>>> = {
  ACCOUNT_NOT_ACTIVE: 'because your account is not active',
  AMOUNT_ABOVE_MAXIMUM: 'because the amount is above the largest that the strategy takes',
  AMOUNT_BELOW_MINIMUM: 'because the amount is below the smallest that the strategy takes',
  DURATION_INVALID: 'because the strategy no longer offers this duration',
  KYC_REQUIRED: 'because your identity has to be verified for this amount first',
  NOTHING_LEFT: 'because nothing was left to invest',
  STRATEGY_CAPACITY_REACHED: 'because the strategy has no capacity left',
  STRATEGY_NOT_ACTIVE: 'because the strategy takes no new investments now',
  VALIDATION_ERROR: 'because the strategy no longer offers it',
};

/** A participation that has matured: paid out, or reinvested. */
export const participationMaturedLetter = (
  participation: ParticipationLetterData,
  { walletMinor, next, notReinvested }: MaturedLetterData,
) => ({
  subject: `Your investment ${participation.number} has matured`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `Your investment ${participation.number} of ${amountOf(participation)} in ${participation.strategyName} has matured.`,
    ...(next === null
      ? []
      : [
          `As you asked, ${amountInWords(next.amountMinor, participation.currency)} is invested again: ${next.number}, which matures on ${dayInWords(next.maturesAt)} (UTC).`,
        ]),
    ...(notReinvested === null
      ? []
      : [`It could not be invested again, ${WHY[notReinvested] ?? 'because the strategy did not take it'}.`]),
    ...(walletMinor === 0
      ? []
      : [`The wallet of your account has received ${amountInWords(walletMinor, participation.currency)}.`]),
  ],
});
