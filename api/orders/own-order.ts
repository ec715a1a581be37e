import { orderHead, type OrderHead } from '../../db/commerce/order/order.reads';
import type { Db } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';

/** The refusal of an unknown order, and of an order of someone else, which must look the same. */
export const noSuchOrder = (): Error => refusal('ORDER_NOT_FOUND');

/** The caller's own order. Refused: ORDER_NOT_FOUND. */
export async function ownOrder(db: Db, userId: string, orderId: string): Promise<OrderHead> {
  const order = await orderHead(db, orderId);
  if (order?.userId !== userId) throw noSuchOrder();
  return order;
}
