import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { cancelPaid, type Cancellation } from '../../../db/commerce/order/cancel.transitions';
import { movedBy, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import { openRefunds } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import { cancellationOf } from '../../../db/commerce/refund/cancellation.reads';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  CancelledOrder,
  CancelOrder,
  RefundDue,
} from '../../../workflows/commerce/order/order.contract';
import { isCancellable } from '../../../workflows/commerce/order/order.states';
import { tooLateToCancel } from '../../../workflows/commerce/order/order.contract';
import type { DbDeps } from '../../steps';
import { cancelUnpaidOrder } from './cancel-unpaid-order';
import { storeInternalNote } from './store-internal-note';
import { queueOrderMail } from './queue-order-mail';
import { labelled } from '../payment/label-refunds';
import { requireOrder } from './require-order';

/**
 * Cancels an order that has not been shipped, and returns its money or schedules that. A cancelled order returns its
 * first result again. Refused: CANNOT_CANCEL.
 */
export const cancelOrder = ({ db }: DbDeps, command: CancelOrder): Promise<CancelledOrder> =>
  inTransaction(db, async (tx) => {
    const { orderId, noteId, byAdministrator, at } = command;
    const order = await requireOrder(tx, orderId);
    if (order.status === 'CANCELLED') {
      // Chosen: a buyer who cancels twice has the result they want; an administrator decided nothing and is refused.
      if (byAdministrator && !(await movedBy(tx, orderId, noteId))) throw tooLateToCancel(order.status);
      return repeatedAnswer(tx, orderId);
    }
    if (!isCancellable(order.status)) throw tooLateToCancel(order.status);
    const note = await readNote(tx, noteId);
    const cancelled = await cancelNow(tx, order, { note: note.text, by: note.actorId, noteId, at });
    if (byAdministrator) await recordDecision(tx, order, command, note, byAdministrator);
    return cancelled;
  });

/** The refunds of an order that are not completed. */
export async function refundsDue(tx: Tx, orderId: string): Promise<RefundDue[]> {
  const open = await openRefunds(tx, { orderId });
  return labelled(
    tx,
    open.map(({ id }) => ({ refundId: id, orderId })),
  );
}

async function cancelNow(tx: Tx, order: LockedOrder, cancellation: Cancellation): Promise<CancelledOrder> {
  if (order.status === 'PENDING_PAYMENT') {
    await cancelUnpaidOrder(tx, order, cancellation);
    return { refundStatus: null, refundAmountMinor: null, refundsDue: [] };
  }
  const { refundId, refundedMinor } = await cancelPaid(tx, order, cancellation);
  return {
    refundStatus: refundId === null ? 'COMPLETED' : 'PROCESSING',
    refundAmountMinor: refundedMinor,
    refundsDue: refundId === null ? [] : await labelled(tx, [{ refundId, orderId: order.id }]),
  };
}

/** Audits the decision of an administrator, and queues the buyer's mail if requested. */
async function recordDecision(
  tx: Tx,
  { id, status, paymentStatus, totalMinor }: LockedOrder,
  { at }: CancelOrder,
  { actorId, clientAddress, text }: RequestNote,
  { notifyCustomer, internalNoteId }: NonNullable<CancelOrder['byAdministrator']>,
): Promise<void> {
  const isPaid = status !== 'PENDING_PAYMENT' && totalMinor > 0;
  if (notifyCustomer) await queueOrderMail(tx, id, { to: 'CANCELLED', note: text, isPaid });
  const kept = await storeInternalNote(tx, id, internalNoteId, new Date(at));
  await recordAudit(tx, {
    actorId,
    action: 'order.cancel',
    entityId: id,
    previous: { status, paymentStatus },
    next: { status: 'CANCELLED', note: text, notifyCustomer, ...kept },
    clientAddress,
    at: new Date(at),
  });
}

/** The result of an earlier cancellation, for a step that runs again after its answer was lost. */
async function repeatedAnswer(tx: Tx, orderId: string): Promise<CancelledOrder> {
  const done = await cancellationOf(tx, orderId);
  if (!done) throw new Error(`Order ${orderId} is not cancelled.`);
  return { ...done, refundsDue: done.refundStatus === null ? [] : await refundsDue(tx, orderId) };
}
