import { recordAudit } from '../../db/administration/audit.writes';
import { readNote } from '../../db/administration/request-note.writes';
import { cancelUnpaid } from '../../db/commerce/cancel.transitions';
import { captureOf } from '../../db/commerce/capture.transitions';
import type { LockedOrder } from '../../db/commerce/order.transitions';
import { attemptsOf, openAttempt } from '../../db/commerce/payment-attempt.transitions';
import { reopenPayment } from '../../db/commerce/order-payment.transitions';
import type { Placement } from '../../db/commerce/placement.reads';
import { applyTransfer } from '../../db/commerce/settle.transitions';
import type { Db, Tx } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { CheckoutActivities, PlacedOrder } from '../../workflows/commerce/checkout.contract';
import type { OrderStanding } from '../../workflows/commerce/order.contract';
import { payUntil } from '../../workflows/commerce/payment.rules';
import { refusal } from '../../workflows/errors';
import { orderActivities } from './order.activities';
import { goesThroughProvider } from './payment-lookup.activities';
import { paymentOffer, type Payments } from './payment-offer';
import { placeOrderIn, requireOrder, requirePlacement, settleFromBalance } from './place-order';

/** Each is one transaction and may run any number of times: what was done before is only answered again. */
export const checkoutActivities = ({ db, payments }: { db: Db; payments: Payments }): CheckoutActivities => ({
  ...orderActivities({ db }),

  async placeOrder(wish) {
    const placement = await inTransaction(db, (tx) => placeOrderIn(tx, wish, payments.current));
    return placedOrder(placement, await paymentOffer(payments, placement));
  },

  async openPayment({ orderId, attemptId, paymentMethod, at }) {
    const placement = await inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      const attempts = await attemptsOf(tx, orderId);
      if (attempts.some((attempt) => attempt.id === attemptId)) return requirePlacement(tx, orderId);
      if (order.status !== 'PENDING_PAYMENT' || order.payBy <= at) throw notPayable(order);
      const payBy = payUntil(paymentMethod, order.createdAt, at);
      const { currency } = order;
      const amountMinor = order.totalMinor - order.partnerBalanceMinor;
      const attempt = {
        id: attemptId,
        orderId,
        method: paymentMethod,
        amountMinor,
        currency,
        expiresAt: payBy,
        at,
      };
      await openAttempt(tx, { ...attempt, provider: payments.current });
      await reopenPayment(tx, { orderId, paymentMethod, payBy, at });
      await settleFromBalance(tx, { ...order, paymentMethod }, at);
      return requirePlacement(tx, orderId);
    });
    return { standing: standingOf(placement), payment: await paymentOffer(payments, placement) };
  },

  confirmTransfer: (transfer) => inTransaction(db, (tx) => confirmTransferIn(tx, transfer)),

  providersToAsk: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const { status } = await requireOrder(tx, orderId);
      if (status !== 'PENDING_PAYMENT') return [];
      const attempts = (await attemptsOf(tx, orderId)).filter(goesThroughProvider);
      return [...new Set(attempts.map(({ provider }) => provider))];
    }),

  expireOrder: ({ orderId, at }) =>
    inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      if (order.status !== 'PENDING_PAYMENT' || order.payBy > at) return standingOf(order);
      await cancelUnpaid(tx, order, { note: 'payment expired', by: null, at });
      return { ...standingOf(order), status: 'CANCELLED' as const };
    }),
});

type Transfer = Parameters<CheckoutActivities['confirmTransfer']>[0];

async function confirmTransferIn(tx: Tx, transfer: Transfer): Promise<OrderStanding> {
  const { orderId, amountMinor, transactionId, captureId, at } = transfer;
  const order = await requireOrder(tx, orderId);
  const known = await captureOf(tx, 'bank', transactionId);
  if (known?.id === captureId) return standingOf(order);
  if (known)
    throw refusal('VALIDATION_ERROR', 'This transfer has been confirmed already.', {
      transactionId: ['belongs to a payment that is confirmed already'],
    });
  const [attempt] = await attemptsOf(tx, orderId);
  if (order.status !== 'PENDING_PAYMENT' || attempt?.method !== 'BANK_TRANSFER') throw notPayable(order);
  if (amountMinor !== attempt.amountMinor)
    throw refusal('AMOUNT_MISMATCH', 'The transfer is of another amount than the order asks for.', {
      amount: ['differs from what is to be paid'],
    });
  const { actorId, clientAddress } = await readNote(tx, transfer.noteId);
  await applyTransfer(tx, order, attempt, { captureId, transactionId, by: actorId, at });
  await recordAudit(tx, {
    actorId,
    action: 'order.confirm-transfer',
    entityType: 'order',
    entityId: orderId,
    previous: { status: order.status, paymentStatus: order.paymentStatus },
    next: { status: 'PAID', paymentStatus: 'PAID', amountMinor, transactionId },
    clientAddress,
    at: new Date(at),
  });
  return { ...standingOf(order), status: 'PAID' };
}

const notPayable = (order: LockedOrder): Error =>
  refusal('NOT_PAYABLE', `This order cannot be paid now: it is ${order.status}.`);

const standingOf = ({ status, payBy }: Pick<LockedOrder | Placement, 'status' | 'payBy'>): OrderStanding => ({
  status,
  payBy,
});

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
