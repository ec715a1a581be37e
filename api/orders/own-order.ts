import { orderHead, type OrderHead } from '../../db/commerce/order/order.reads';
import type { Db } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';

/** The same words for an order that is another's and for one that is none. */
export const noSuchOrder = (): Error => refusal('ORDER_NOT_FOUND', 'You have no such order.');

/** The caller's own order; refused ORDER_NOT_FOUND otherwise. */
export async function ownOrder(db: Db, userId: string, orderId: string): Promise<OrderHead> {
  const order = await orderHead(db, orderId);
  if (order?.userId !== userId) throw noSuchOrder();
  return order;
}
