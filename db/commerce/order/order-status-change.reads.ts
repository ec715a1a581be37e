import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { firstRow, type Db } from '../../sql/query';

/** The status of an order, and when it reached it; null where there is no such order. */
export function statusSince(db: Db, orderId: string): Promise<{ status: OrderStatus; since: Date } | null> {
  return firstRow(
    db,
    `SELECT o.status, coalesce((SELECT max(c.changed_at) FROM order_status_changes c
                                 WHERE c.order_id = o.id AND c.status = o.status), o.updated_at) AS since
       FROM orders o WHERE o.id = $1`,
    [orderId],
  );
}
