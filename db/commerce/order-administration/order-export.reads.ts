import type { Attributes } from 'sequelize';
import type { User } from '../../identity/user/user.model';
import { rows, type Db } from '../../sql/query';
import type { Order } from '../order/order.model';
import type { OrderHead } from '../order/order.reads';
import type { Shipment } from '../shipment/shipment.model';
import { orderConditions, type AdminOrderFilter } from './order-filter.reads';

/** An order as a row of a file. */
export type ExportedOrder = OrderHead &
  Pick<
    Attributes<Order>,
    | ('subtotalMinor' | 'discountMinor' | 'shippingMinor' | 'taxMinor' | 'refundedMinor')
    | ('paymentMethod' | 'paidAt' | 'shippingMethodName' | 'carrier' | 'shippingAddress')
  > &
  Pick<Attributes<Shipment>, 'trackingNumber' | 'shippedAt' | 'deliveredAt'> &
  Pick<Attributes<User>, 'email' | 'firstName' | 'lastName'> & {
    /** Its lines as people pack them: `2 x LAMP-1, 1 x DESK-7`. */
    items: string;
    /** Its place in the order of the file, for the next read. */
    cursor: string;
  };

/** The next page of matching orders after a cursor; null: from the newest. New orders do not shift it. */
export function ordersAfter(
  db: Db,
  filter: AdminOrderFilter,
  after: Pick<ExportedOrder, 'id' | 'cursor'> | null,
  limit: number,
): Promise<ExportedOrder[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = orderConditions(filter, bind);
  const place = after
    ? `(o.created_at, o.id) < (${bind(after.cursor)}::timestamptz, ${bind(after.id)}::uuid)`
    : 'true';
  return rows<ExportedOrder>(
    db,
    `WITH o AS MATERIALIZED (
       SELECT o.* FROM orders o WHERE ${where} AND ${place}
       ORDER BY o.created_at DESC, o.id DESC LIMIT ${bind(limit)})
     SELECT o.id, o.number AS order_number, o.user_id, o.status, o.payment_status, o.currency, o.subtotal_minor,
       o.discount_minor, o.shipping_minor, o.tax_minor, o.total_minor, o.refunded_minor, o.payment_method, o.paid_at,
       o.shipping_method_name, o.carrier, o.shipping_address, o.created_at, o.updated_at,
       u.email, u.first_name, u.last_name, s.tracking_number, s.shipped_at, s.delivered_at,
       (SELECT string_agg(i.quantity || ' x ' || i.sku, ', ' ORDER BY i.position)
          FROM order_items i WHERE i.order_id = o.id) AS items,
       o.created_at::text AS cursor
     FROM o JOIN users u ON u.id = o.user_id LEFT JOIN shipments s ON s.order_id = o.id
     ORDER BY o.created_at DESC, o.id DESC`,
    values,
  );
}
