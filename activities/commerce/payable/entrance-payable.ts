import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import { changeEntrance, lockEntrance } from '../../../db/partners/membership/entrance.transitions';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import type { Tx } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';
import type { EntranceStatus } from '../../../workflows/partners/membership/entrance.states';
import { cancelUnpaidEntrance } from '../../partners/membership/cancel-entrance';
import { settleEntrance } from '../../partners/membership/settle-entrance';
import type { Payable } from './payable';

/** An entrance fee as the payments kit sees it, locked. */
export async function lockEntranceToPay(tx: Tx, id: string): Promise<Payable> {
  const entrance = await lockEntrance(tx, id);
  if (!entrance) throw new Error(`There is no entrance ${id}.`);
  return {
    ...factsOf(entrance),
    settle: ({ method, provider, at }) => {
      if (method === 'EWALLET') throw new Error(`Entrance ${id} cannot be paid by ${method}.`);
      return settleEntrance(tx, entrance, { method, provider, at });
    },
    markFailed: (at) => changeEntrance(tx, id, { paymentStatus: 'FAILED' }, new Date(at)),
    expire: (at) => cancelUnpaidEntrance(tx, entrance, at),
    decisionAfter: async ({ words }) => {
      if (entrance.status !== 'PAID') return null;
      const partner = await partnerOfUser(tx, entrance.userId);
      return `The partner's bank took back ${words}, with which entrance fee ${entrance.number} was paid. The loss is booked and the membership is ${partner?.status ?? 'gone'}, with commissions of the fee paid to those above: decide what becomes of it.`;
    },
    // Only the mail of a transfer asks for its payment, so none changes with the page.
    showPage: () => Promise.resolve(),
  };
}

const factsOf = (entrance: Entrance) =>
  ({
    ref: { entranceId: entrance.id },
    kind: 'entrance',
    userId: entrance.userId,
    number: entrance.number,
    label: moneyLabel(entrance),
    status: entrance.status,
    paymentStatus: entrance.paymentStatus,
    currency: entrance.currency,
    dueMinor: entrance.amountMinor,
    awaitsPayment: entrance.status === 'PENDING_PAYMENT',
    isCancelled: entrance.status === 'CANCELLED',
    payBy: entrance.paymentExpiresAt.toISOString(),
    strayReason: STRAY_REASON[entrance.status],
  }) as const;

const STRAY_REASON: Record<EntranceStatus, RefundReason> = {
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
  PAID: 'DUPLICATE_PAYMENT',
  CANCELLED: 'LATE_PAYMENT',
};
