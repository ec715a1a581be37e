import { setPaymentStatus, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import type { Tx } from '../../../db/sql/query';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';
import { changePlacedMail } from '../order/queue-placed-mail';
import { cancelUnpaidOrder } from '../order/cancel-unpaid-order';
import { labelOf, requireOrder } from '../order/require-order';
import type { Payable } from './payable';
import { settleOrder } from './settle-order';

/** An order as the payments kit sees it, locked. */
export async function lockOrderToPay(tx: Tx, orderId: string): Promise<Payable> {
  const order = await requireOrder(tx, orderId);
  return {
    ...factsOf(order),
    settle: (paid) => settleOrder(tx, order, paid),
    markFailed: (at) => setPaymentStatus(tx, orderId, 'FAILED', at),
    expire: (at) => cancelUnpaidOrder(tx, order, { note: 'payment expired', by: null, at }),
    // Its goods are sent or were: the loss is booked, and new refunds are bounded by it.
    decisionAfter: () => Promise.resolve(null),
    showPage: (page) => changePlacedMail(tx, orderId, { ...page, bankDetails: null }),
  };
}

const factsOf = (order: LockedOrder) =>
  ({
    ref: { orderId: order.id },
    kind: 'order',
    userId: order.userId,
    number: order.number,
    label: labelOf(order),
    status: order.status,
    paymentStatus: order.paymentStatus,
    currency: order.currency,
    dueMinor: order.totalMinor - order.partnerBalanceMinor,
    awaitsPayment: order.status === 'PENDING_PAYMENT',
    isCancelled: order.status === 'CANCELLED',
    payBy: order.payBy,
    strayReason: STRAY_REASON[order.status] ?? 'DUPLICATE_PAYMENT',
  }) as const;

const STRAY_REASON: Partial<Record<OrderStatus, RefundReason>> = {
  CANCELLED: 'LATE_PAYMENT',
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
};
