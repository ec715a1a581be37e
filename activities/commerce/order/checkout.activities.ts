import { cancelUnpaid } from '../../../db/commerce/order/cancel.transitions';
import { openRefunds } from '../../../db/commerce/payment/capture.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  attemptsOf,
  goesThroughProvider,
  openAttempt,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import { reopenPayment } from '../../../db/commerce/payment/order-payment.transitions';
import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { CheckoutActivities, PlacedOrder } from '../../../workflows/commerce/order/checkout.contract';
import { laterOf, payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { refusal } from '../../../workflows/errors';
import { applyFoundPayments } from '../payment/apply-look-ups';
import { orderActivities } from './order.activities';
import { paymentOffer, type Payments } from '../payment/payment-offer';
import { payFromWallet, placeOrderIn, requireOrder, requirePlacement, standingOf } from './place-order';

/** Each is one transaction and may run any number of times: what was done before is only answered again. */
export const checkoutActivities = ({
  db,
  payments,
  policy,
}: {
  db: Db;
  payments: Payments;
  policy: Policy;
}): CheckoutActivities => ({
  ...orderActivities({ db }),

  async placeOrder(wish) {
    const by = { provider: payments.current, policy };
    const placement = await inTransaction(db, (tx) => placeOrderIn(tx, wish, by));
    return placedOrder(placement, await paymentOffer(payments, placement));
  },

  async openPayment(wish) {
    const by = { provider: payments.current, policy };
    const placement = await inTransaction(db, (tx) => openPaymentIn(tx, wish, by));
    return { standing: standingOf(placement), payment: await paymentOffer(payments, placement) };
  },

  providersToAsk: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const attempts = (await attemptsOf(tx, orderId)).filter(goesThroughProvider);
      return [...new Set(attempts.map(({ provider }) => provider))];
    }),

  applyLookUps: ({ orderId, ...lookUps }) =>
    inTransaction(db, async (tx) => {
      await applyFoundPayments(tx, orderId, lookUps);
      // All that is due, not only what was found now: the answer of a try before this one may have been lost.
      const due = await openRefunds(tx, orderId);
      return due.map(({ id }) => ({ refundId: id, orderId }));
    }),

  expireOrder: ({ orderId, at }) =>
    inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      if (order.status !== 'PENDING_PAYMENT' || order.payBy > at) return standingOf(order);
      await cancelUnpaid(tx, order, { note: 'payment expired', by: null, at });
      return { ...standingOf(order), status: 'CANCELLED' as const };
    }),
});

type NewAttempt = Parameters<CheckoutActivities['openPayment']>[0];

/** Opens an attempt in the caller's transaction, or finds the open one by that method. */
async function openPaymentIn(
  tx: Tx,
  { orderId, attemptId, paymentMethod, at }: NewAttempt,
  { provider, policy }: { provider: string; policy: Policy },
): Promise<Placement> {
  const order = await requireOrder(tx, orderId);
  const attempts = await attemptsOf(tx, orderId);
  if (attempts.some((attempt) => attempt.id === attemptId)) return requirePlacement(tx, orderId);
  if (order.status !== 'PENDING_PAYMENT' || order.payBy <= at) throw notPayable(order);
  const [latest] = attempts;
  if (latest?.status === 'PENDING' && latest.method === paymentMethod && latest.expiresAt > at)
    return requirePlacement(tx, orderId);
  if (attempts.length >= policy.paymentAttempts)
    throw refusal('NOT_PAYABLE', 'There have been too many attempts to pay this order.');
  const expiresAt = payUntil(policy, { method: paymentMethod, placedAt: order.createdAt, at });
  const { currency } = order;
  const amountMinor = order.totalMinor - order.partnerBalanceMinor;
  const attempt = { id: attemptId, orderId, method: paymentMethod, amountMinor, currency, expiresAt, at };
  await openAttempt(tx, { ...attempt, provider });
  await reopenPayment(tx, { orderId, paymentMethod, payBy: laterOf(order.payBy, expiresAt), at });
  if (paymentMethod === 'BALANCE') await payFromWallet(tx, order, at);
  return requirePlacement(tx, orderId);
}

const notPayable = (order: LockedOrder): Error =>
  refusal('NOT_PAYABLE', `This order cannot be paid now: it is ${order.status}.`);

function placedOrder(placement: Placement, payment: PlacedOrder['payment']): PlacedOrder {
  return {
    standing: standingOf(placement),
    orderNumber: placement.orderNumber,
    payment,
    summaryMinor: {
      subtotal: placement.subtotalMinor,
      discount: placement.discountMinor,
      shipping: placement.shippingMinor,
      tax: placement.taxMinor,
      total: placement.totalMinor,
    },
    estimatedDelivery: placement.estimatedDelivery,
  };
}
