import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { TrackingStatus } from '../../../workflows/commerce/shipment/tracking.rules';
import { firstRow, rows, type Db } from '../../sql/query';

/** Where an order stands, with the number of its parcel. */
export interface OrderStanding {
  status: OrderStatus;
  trackingNumber: string | null;
  updatedAt: Date;
}

/** The order exists, as the caller knows. */
export async function orderStanding(db: Db, orderId: string): Promise<OrderStanding> {
  const found = await firstRow<OrderStanding>(
    db,
    `SELECT o.status, o.updated_at, s.tracking_number
     FROM orders o LEFT JOIN shipments s ON s.order_id = o.id WHERE o.id = $1`,
    [orderId],
  );
  if (!found) throw new Error(`There is no order ${orderId}.`);
  return found;
}

export interface TrackingRow {
  orderId: string;
  orderNumber: string;
  userId: string;
  status: OrderStatus;
  carrier: string | null;
  /** ISO 8601 date. */
  estimatedDelivery: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  /** The carrier's address of a parcel's page, as it is today. */
  template: string | null;
  shippedAt: Date | null;
  deliveredAt: Date | null;
  /** Newest first. */
  events: { status: TrackingStatus; location: string | null; description: string; timestamp: string }[];
}

const TRACKING = `SELECT o.id AS order_id, o.number AS order_number, o.user_id, o.status, o.carrier,
    o.estimated_delivery, s.tracking_number,
    s.tracking_url, m.tracking_url_template AS template, s.shipped_at,
    s.delivered_at,
    coalesce((SELECT json_agg(json_build_object('status', e.status, 'location', e.location,
        'description', e.description, 'timestamp', e.happened_at) ORDER BY e.happened_at DESC, e.id DESC)
      FROM tracking_events e WHERE e.order_id = o.id), '[]') AS events
  FROM orders o JOIN shipping_methods m ON m.id = o.shipping_method_id LEFT JOIN shipments s ON s.order_id = o.id`;

/** Where the parcel of a user's order is; null for another's order, and for none. */
export function trackingOf(db: Db, userId: string, orderId: string): Promise<TrackingRow | null> {
  return firstRow<TrackingRow>(db, `${TRACKING} WHERE o.id = $1 AND o.user_id = $2`, [orderId, userId]);
}

/** Every parcel of a user that has left, newest order first. */
export function trackingsOf(db: Db, userId: string): Promise<TrackingRow[]> {
  return rows<TrackingRow>(
    db,
    `${TRACKING} WHERE o.user_id = $1 AND s.shipped_at IS NOT NULL ORDER BY o.created_at DESC, o.id DESC`,
    [userId],
  );
}
