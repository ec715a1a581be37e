import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { Order } from './order.model';

type StatusSince = Pick<Attributes<Order>, 'status'> & { since: Date };

/** The status of an order and the time of its last move; null when there is no such order. */
export function statusSince(db: Db, orderId: string): Promise<StatusSince | null> {
  return firstRow<StatusSince>(
    db,
    `SELECT o.status, coalesce((SELECT max(c.changed_at) FROM order_status_changes c
                                 WHERE c.order_id = o.id AND c.status = o.status), o.updated_at) AS since
       FROM orders o WHERE o.id = $1`,
    [orderId],
  );
}
