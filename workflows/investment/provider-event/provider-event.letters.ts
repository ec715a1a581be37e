import { dayInWords, salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';
import type { ParticipationLetterData } from '../participation/participation.letters';

const amountOf = ({ amountMinor, currency }: ParticipationLetterData): string =>
  amountInWords(amountMinor, currency);

/**
 * A participation that runs because its provider has reported it. `waitedForPayment`: it was opened here, and its owner was
 * asked to pay for it.
 */
export const participationReportedLetter = (
  participation: ParticipationLetterData,
  { waitedForPayment }: { waitedForPayment: boolean },
) => ({
  subject: `Your investment ${participation.number} has started`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has reported your investment of ${amountOf(participation)}. Its number here is ${participation.number}.`,
    ...(participation.maturesAt === null
      ? []
      : [`It matures on ${dayInWords(participation.maturesAt)} (UTC).`]),
    waitedForPayment
      ? 'You do not have to pay for it here any more. Money that we still receive for it is sent back to you.'
      : 'If you did not make this investment, please contact our support.',
  ],
});

/** The amounts of a payout that a provider has reported, in minor units. */
export interface ReportedPayoutLetterData {
  /** The amount that is in the wallet now. */
  amountMinor: number;
  /** The amount that the provider has kept. */
  penaltyMinor: number;
}

const payoutParagraphs = (
  { currency }: ParticipationLetterData,
  { amountMinor, penaltyMinor }: ReportedPayoutLetterData,
): string[] => [
  amountMinor > 0
    ? `The wallet of your account has received ${amountInWords(amountMinor, currency)}.`
    : 'Nothing of it was paid to you.',
  ...(penaltyMinor > 0
    ? [`The provider has kept a penalty of ${amountInWords(penaltyMinor, currency)}.`]
    : []),
];

/** A participation that its provider has ended and paid out. */
export const participationPaidOutLetter = (
  participation: ParticipationLetterData,
  payout: ReportedPayoutLetterData,
) => ({
  subject: `Your investment ${participation.number} has ended`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has ended your investment ${participation.number} of ${amountOf(participation)}.`,
    ...payoutParagraphs(participation, payout),
  ],
});

/**
 * A participation that a loss has left nothing after what its provider had paid out already, of which these are the sums. The money
 * was in the wallet before this mail, so it does not say that the wallet has received anything now.
 */
export const participationLostLetter = (
  participation: ParticipationLetterData,
  { amountMinor, penaltyMinor }: ReportedPayoutLetterData,
) => ({
  subject: `Your investment ${participation.number} has ended`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has reported a loss of your investment ${participation.number} of ${amountOf(participation)}. Nothing is left of it, and it has ended.`,
    amountMinor > 0
      ? `Before that ${amountInWords(amountMinor, participation.currency)} of it were paid to the wallet of your account, in all. They stay yours.`
      : 'Nothing of it was paid to you.',
    ...(penaltyMinor > 0
      ? [`The provider has kept penalties of ${amountInWords(penaltyMinor, participation.currency)}, in all.`]
      : []),
  ],
});

/** A part of a participation that its provider has paid out. Others of the same day have no mail. */
export const participationPartPaidOutLetter = (
  participation: ParticipationLetterData,
  payout: ReportedPayoutLetterData,
) => ({
  subject: `A part of your investment ${participation.number} is paid out`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has paid out a part of your investment ${participation.number} of ${amountOf(participation)}.`,
    ...payoutParagraphs(participation, payout),
    'We write about this at most once a day. The transactions of the investment show every part.',
  ],
});

/** A profit of a participation that has ended: it is in the wallet. Others of the same day have no mail. */
export const participationLateProfitLetter = (
  participation: ParticipationLetterData,
  { profitMinor }: { profitMinor: number },
) => ({
  subject: `A profit of your investment ${participation.number}`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has reported a profit of your investment ${participation.number}, which has ended. The wallet of your account has received ${amountInWords(profitMinor, participation.currency)}.`,
    'We write about this at most once a day. The transactions of the investment show every profit.',
  ],
});

/** A participation whose provider has moved its maturity; `before`: the date until then. */
export const participationMaturityMovedLetter = (
  participation: ParticipationLetterData,
  { maturesAt, before }: { maturesAt: Date; before: Date },
) => ({
  subject: `Your investment ${participation.number} matures on another day`,
  greeting: salutation(participation.firstName),
  paragraphs: [
    `The provider of ${participation.strategyName} has moved the maturity of your investment ${participation.number} of ${amountOf(participation)}.`,
    `It now matures on ${dayInWords(maturesAt)} (UTC), and no longer on ${dayInWords(before)}.`,
    'We write about this at most once a day. Your portfolio shows the day that applies.',
  ],
});
