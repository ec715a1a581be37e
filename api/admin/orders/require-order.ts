import { orderHead, type OrderHead } from '../../../db/commerce/order/order.reads';
import type { Db } from '../../../db/sql/query';
import { noSuchOrder } from '../../orders/own-order';

/** The order that an administrator names. Refused: ORDER_NOT_FOUND. */
export async function requireOrder(db: Db, orderId: string): Promise<OrderHead> {
  const order = await orderHead(db, orderId);
  if (!order) throw noSuchOrder();
  return order;
}
