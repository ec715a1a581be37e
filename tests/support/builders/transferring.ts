import { v7 } from 'uuid';
import type { Db } from '../../../db/sql/query';
import { make } from './make';
import { noteOf, orderSteps, placedOrder, PRICE_MINOR, type OrderCommand } from './ordering';

/** An order that was paid by a bank transfer, by steps without a process. */
export async function transferredOrder(
  db: Db,
  { at = new Date().toISOString() }: { at?: string } = {},
): Promise<OrderCommand> {
  const order = await placedOrder(db, { method: 'BANK_TRANSFER' }, { at });
  const { id: adminId } = await make.admin(db);
  await orderSteps(db).confirmTransfer({
    orderId: order.orderId,
    amountMinor: PRICE_MINOR,
    transactionId: `IN-${order.orderId}`,
    onMismatch: 'REFUSE',
    captureId: v7(),
    noteId: await noteOf(db, adminId, null),
    at,
  });
  return order;
}

/** The same, cancelled: an operator has to send its money back. */
export async function transferToReturn(
  db: Db,
  circumstances?: { at?: string },
): Promise<OrderCommand & { refundId: string }> {
  const order = await transferredOrder(db, circumstances);
  const noteId = await noteOf(db, order.userId, 'Changed my mind.');
  const at = circumstances?.at ?? new Date().toISOString();
  const { refundsDue } = await orderSteps(db).cancelOrder({ orderId: order.orderId, noteId, at });
  return { ...order, refundId: refundsDue[0]!.refundId };
}
