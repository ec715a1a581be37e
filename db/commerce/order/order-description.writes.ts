import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OrderStatusChange } from './order-status-change.model';
import { Order } from './order.model';

/** Locks an order against moves and returns its status; null when there is none. */
export async function lockOrderStatus(tx: Tx, orderId: string): Promise<OrderStatus | null> {
  const order = await table(tx, Order).one(['status'], { id: orderId }, { lock: 'NO_KEY_UPDATE' });
  return order?.status ?? null;
}

/** The note in the order's history at a status; null where there is none. */
export async function noteAtStatus(tx: Tx, orderId: string, status: OrderStatus): Promise<string | null> {
  const change = await table(tx, OrderStatusChange).one(['note'], { orderId, status });
  return change?.note ?? null;
}

/** Replaces the note in the order's history at a status. */
export async function setNoteAtStatus(
  tx: Tx,
  orderId: string,
  status: OrderStatus,
  note: string,
): Promise<void> {
  await table(tx, OrderStatusChange).update({ note }, { orderId, status });
}

/** Marks a locked order as changed. */
export async function touchOrder(tx: Tx, orderId: string, at: Date): Promise<void> {
  await table(tx, Order).update({ updatedAt: at }, { id: orderId });
}
