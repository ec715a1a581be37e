import { orderHead, type OrderHead } from '../../../db/commerce/order/order.reads';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';

/** The refusal of an unknown order. */
export const noSuchOrder = (): Error => refusal('ORDER_NOT_FOUND', 'No such order.');

/** The order that an administrator names. Refused: ORDER_NOT_FOUND. */
export async function requireOrder(db: Db, orderId: string): Promise<OrderHead> {
  const order = await orderHead(db, orderId);
  if (!order) throw noSuchOrder();
  return order;
}
