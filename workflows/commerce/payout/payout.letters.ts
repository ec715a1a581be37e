import { salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../money.rules';
import type { PayoutKind } from './payout.rules';

export type PayoutMailKind = 'REQUESTED' | 'REJECTED' | 'CANCELLED' | 'COMPLETED';

interface PaidOutMoney {
  firstName: string;
  kind: PayoutKind;
  amountMinor: number;
  currency: string;
  maskedDetails: string;
  /** The words of the administrator who rejected or cancelled it. */
  reason: string | null;
  /** False if the amount of a rejected one is forfeited. */
  fundsReturned: boolean | null;
}

const NOT_YOU = 'If this was not you, change your password at once and contact our support.';

const NAMES: Record<PayoutKind, { name: string; balance: string }> = {
  PARTNER: { name: 'payout', balance: 'partner balance' },
  WALLET: { name: 'withdrawal', balance: 'balance' },
};

const ENDINGS: Record<PayoutMailKind, string> = {
  REQUESTED: 'requested',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
  COMPLETED: 'sent',
};

/** The mail about a payout of a partner, or a withdrawal from a wallet. */
export function payoutLetter(
  mail: PayoutMailKind,
  { firstName, kind, amountMinor, currency, maskedDetails, reason, fundsReturned }: PaidOutMoney,
) {
  const { name, balance } = NAMES[kind];
  const amount = amountInWords(amountMinor, currency);
  const because = reason === null ? [] : [`The reason: ${reason}`];
  const isBack = `The money is on your ${balance} again.`;
  const paragraphs: Record<PayoutMailKind, string[]> = {
    REQUESTED: [
      `You have requested a ${name} of ${amount} from your ${balance} to ${maskedDetails}.`,
      'We tell you when the money is sent.',
      NOT_YOU,
    ],
    REJECTED: [
      `We have rejected your ${name} of ${amount}.`,
      ...because,
      fundsReturned === false ? 'The money is not returned.' : isBack,
    ],
    CANCELLED: [`We have cancelled your ${name} of ${amount}.`, ...because, isBack],
    COMPLETED: [`We have sent ${amount} to ${maskedDetails}.`],
  };
  return {
    subject: `Your ${name} of ${amount} is ${ENDINGS[mail]}`,
    greeting: salutation(firstName),
    paragraphs: paragraphs[mail],
  };
}
