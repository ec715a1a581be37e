import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { cancelPaid, cancelUnpaid, type Cancellation } from '../../../db/commerce/order/cancel.transitions';
import { openRefunds } from '../../../db/commerce/payment/capture.transitions';
import { cancellationOf } from '../../../db/commerce/refund/earlier-request.reads';
import { queueOrderMail } from '../../../db/commerce/order/order-letter.writes';
import { lockOrder, movedBy, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  CancelledOrder,
  CancelOrder,
  OrderActivities,
  RefundDue,
} from '../../../workflows/commerce/order/order.contract';
import { isCancellable } from '../../../workflows/commerce/order/order.states';
import { refusal } from '../../../workflows/errors';
import { requireOrder, standingOf } from './place-order';

/** What both processes of an order ask for. */
export const orderActivities = ({ db }: { db: Db }): OrderActivities => ({
  orderStanding: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const order = await lockOrder(tx, orderId);
      return order && standingOf(order);
    }),

  cancelOrder: (cancellation) => inTransaction(db, (tx) => cancelIn(tx, cancellation)),

  refundsDue: ({ orderId }) => inTransaction(db, (tx) => dueFor(tx, orderId)),
});

async function dueFor(tx: Tx, orderId: string): Promise<RefundDue[]> {
  const open = await openRefunds(tx, orderId);
  return open.map(({ id }) => ({ refundId: id, orderId }));
}

async function cancelIn(tx: Tx, wish: CancelOrder): Promise<CancelledOrder> {
  const { orderId, noteId, byAdministrator, at } = wish;
  const order = await requireOrder(tx, orderId);
  if (order.status === 'CANCELLED') {
    // Chosen: a buyer who cancels what is cancelled has what they want; an administrator decided nothing and hears so.
    if (byAdministrator && !(await movedBy(tx, orderId, noteId))) throw tooLate(order);
    return repeatedAnswer(tx, orderId);
  }
  if (!isCancellable(order.status)) throw tooLate(order);
  const note = await readNote(tx, noteId);
  const cancelled = await cancelNow(tx, order, { note: note.text, by: note.actorId, noteId, at });
  if (byAdministrator) await decided(tx, order, wish, note, byAdministrator);
  return cancelled;
}

const tooLate = ({ status }: LockedOrder): Error =>
  refusal('CANNOT_CANCEL', `A ${status} order can no longer be cancelled.`);

async function cancelNow(tx: Tx, order: LockedOrder, cancellation: Cancellation): Promise<CancelledOrder> {
  if (order.status === 'PENDING_PAYMENT') {
    await cancelUnpaid(tx, order, cancellation);
    return { refundStatus: null, refundAmountMinor: null, refundsDue: [] };
  }
  const { refundId, refundedMinor } = await cancelPaid(tx, order, cancellation);
  return {
    refundStatus: refundId === null ? 'COMPLETED' : 'PROCESSING',
    refundAmountMinor: refundedMinor,
    refundsDue: refundId === null ? [] : [{ refundId, orderId: order.id }],
  };
}

/** What an administrator's decision has beside what it does: the buyer is told if wished, and it is on record. */
async function decided(
  tx: Tx,
  { id, status, paymentStatus }: LockedOrder,
  { at }: CancelOrder,
  { actorId, clientAddress, text }: RequestNote,
  { notifyCustomer }: { notifyCustomer: boolean },
): Promise<void> {
  if (notifyCustomer)
    await queueOrderMail(tx, { orderId: id, about: 'cancelled', to: 'CANCELLED', note: text });
  await recordAudit(tx, {
    actorId,
    action: 'order.cancel',
    entityType: 'order',
    entityId: id,
    previous: { status, paymentStatus },
    next: { status: 'CANCELLED', note: text, notifyCustomer },
    clientAddress,
    at: new Date(at),
  });
}

/** What cancelling came to, for a step that runs again after its answer was lost. */
async function repeatedAnswer(tx: Tx, orderId: string): Promise<CancelledOrder> {
  const done = await cancellationOf(tx, orderId);
  if (!done) throw new Error(`Order ${orderId} is not cancelled.`);
  return { ...done, refundsDue: done.refundStatus === null ? [] : await dueFor(tx, orderId) };
}
