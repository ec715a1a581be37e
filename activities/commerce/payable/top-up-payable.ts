import { sentWithdrawal, withdrawalsEndedBy } from '../../../db/ledger/top-up/disputed-top-up.reads';
import { takenBackMinor } from '../../../db/ledger/top-up/top-up-ledger.transitions';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { changeTopUp } from '../../../db/ledger/top-up/top-up.transitions';
import type { Tx } from '../../../db/sql/query';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';
import type { TopUpStatus } from '../../../workflows/ledger/top-up/top-up.states';
import { cancelUnpaidTopUp } from '../../ledger/top-up/cancel-top-up';
import { settleTopUp } from '../../ledger/top-up/settle-top-up';
import { giveBackTopUp, takeBackTopUp } from '../../ledger/top-up/take-back-top-up';
import { requireTopUp } from '../../ledger/top-up/top-up-state';
import type { Payable } from './payable';

/** A top-up as the payments kit sees it, locked. */
export async function lockTopUpToPay(tx: Tx, id: string): Promise<Payable> {
  const topUp = await requireTopUp(tx, id);
  const { number, currency } = topUp;
  return {
    ...factsOf(topUp),
    settle: ({ method, provider, at }) => {
      if (method === 'BALANCE') throw new Error(`Top-up ${id} cannot be paid by ${method}.`);
      return settleTopUp(tx, topUp, { method, provider, at });
    },
    markFailed: (at) => changeTopUp(tx, id, { paymentStatus: 'FAILED' }, new Date(at)),
    expire: (at) => cancelUnpaidTopUp(tx, topUp, at),
    takeBack: (chargeback, at) => takeBackTopUp(tx, topUp, chargeback, at),
    giveBack: (chargeback, at) => giveBackTopUp(tx, topUp, chargeback, at),
    withdrawalsEnded: (chargebackId) => withdrawalsEndedBy(tx, chargebackId),
    decisionAfter: async ({ chargebackId, amountMinor, words }) => {
      const missingMinor = amountMinor - (await takenBackMinor(tx, id, chargebackId));
      if (missingMinor === 0) return null;
      const left = await withdrawalLeft(tx, topUp);
      return `The user's bank took back ${words}, with which top-up ${number} was paid. The wallet no longer held ${amountInWords(missingMinor, currency)} of it, which is booked as a loss${left}: decide what becomes of that. No other withdrawal of the user is sent meanwhile.`;
    },
    // Only the mail of a transfer asks for its payment, so none changes with the page.
    showPage: () => Promise.resolve(),
  };
}

/** The withdrawal that was left as it is, in words; empty when there is none. */
async function withdrawalLeft(tx: Tx, { userId, currency }: TopUpRow): Promise<string> {
  const sent = await sentWithdrawal(tx, userId, currency);
  if (!sent) return '';
  const amount = amountInWords(sent.amountMinor, currency);
  return `; withdrawal ${sent.id} of ${amount} from the wallet is ${sent.status}, may be on its way and was left`;
}

const factsOf = (topUp: TopUpRow) =>
  ({
    ref: { topUpId: topUp.id },
    kind: 'topUp',
    userId: topUp.userId,
    number: topUp.number,
    label: moneyLabel(topUp),
    status: topUp.status,
    paymentStatus: topUp.paymentStatus,
    currency: topUp.currency,
    dueMinor: topUp.amountMinor,
    awaitsPayment: topUp.status === 'PENDING_PAYMENT',
    isCancelled: topUp.status === 'CANCELLED',
    payBy: topUp.paymentExpiresAt.toISOString(),
    isOpenedOnce: true,
    strayReason: STRAY_REASON[topUp.status],
  }) as const;

const STRAY_REASON: Record<TopUpStatus, RefundReason> = {
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
  PAID: 'DUPLICATE_PAYMENT',
  CANCELLED: 'LATE_PAYMENT',
};
