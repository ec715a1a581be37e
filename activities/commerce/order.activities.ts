import { readNote } from '../../db/administration/request-note.writes';
import { cancelPaid, cancelUnpaid } from '../../db/commerce/cancel.transitions';
import { appliedCapture, openRefunds } from '../../db/commerce/capture.transitions';
import { lockOrder, type LockedOrder } from '../../db/commerce/order.transitions';
import type { Db, Tx } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type {
  CancelledOrder,
  CancelOrder,
  OrderActivities,
  RefundDue,
} from '../../workflows/commerce/order.contract';
import { isCancellable } from '../../workflows/commerce/order.states';
import { refusal } from '../../workflows/errors';
import { requireOrder } from './place-order';

/** What both processes of an order ask for. */
export const orderActivities = ({ db }: { db: Db }): OrderActivities => ({
  orderStanding: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const order = await lockOrder(tx, orderId);
      return order && { status: order.status, payBy: order.payBy };
    }),

  cancelOrder: (cancellation) => inTransaction(db, (tx) => cancelIn(tx, cancellation)),

  refundsDue: ({ orderId }) => inTransaction(db, (tx) => dueFor(tx, orderId)),
});

async function dueFor(tx: Tx, orderId: string): Promise<RefundDue[]> {
  const open = await openRefunds(tx, orderId);
  return open.map(({ id }) => ({ refundId: id, orderId }));
}

async function cancelIn(tx: Tx, { orderId, noteId, at }: CancelOrder): Promise<CancelledOrder> {
  const order = await requireOrder(tx, orderId);
  const { actorId, text } = await readNote(tx, noteId);
  if (order.status === 'CANCELLED') return repeatedAnswer(tx, order);
  if (!isCancellable(order.status))
    throw refusal('CANNOT_CANCEL', `A ${order.status} order can no longer be cancelled.`);

  const cancellation = { note: text ?? '', by: actorId, at };
  if (order.status === 'PENDING_PAYMENT') {
    await cancelUnpaid(tx, order, cancellation);
    return { refundStatus: null, refundAmountMinor: null, refundsDue: [] };
  }
  const { refundId } = await cancelPaid(tx, order, cancellation);
  return {
    refundStatus: refundId === null ? 'COMPLETED' : 'PROCESSING',
    refundAmountMinor: order.totalMinor,
    refundsDue: refundId === null ? [] : [{ refundId, orderId }],
  };
}

/** What cancelling answered the first time, for a step that runs again after its answer was lost. */
async function repeatedAnswer(tx: Tx, order: LockedOrder): Promise<CancelledOrder> {
  if (order.paidAt === null) return { refundStatus: null, refundAmountMinor: null, refundsDue: [] };
  const capture = await appliedCapture(tx, order.id);
  const refundsDue = await dueFor(tx, order.id);
  return {
    refundStatus: capture && refundsDue.length > 0 ? 'PROCESSING' : 'COMPLETED',
    refundAmountMinor: order.totalMinor,
    refundsDue,
  };
}
