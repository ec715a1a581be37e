import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Order } from '../order/order.model';
import type { ShippingMethod } from '../shipping/shipping-method.model';
import type { Shipment } from './shipment.model';
import type { TrackingEvent } from './tracking-event.model';

/** The status of an order, with the number of its parcel. */
export type TrackedOrder = Pick<Attributes<Order>, 'status' | 'updatedAt'> &
  Pick<Attributes<Shipment>, 'trackingNumber'>;

/** The status and parcel of an order that exists. */
export async function trackedOrder(db: Db, orderId: string): Promise<TrackedOrder> {
  const found = await firstRow<TrackedOrder>(
    db,
    `SELECT o.status, o.updated_at, s.tracking_number
     FROM orders o LEFT JOIN shipments s ON s.order_id = o.id WHERE o.id = $1`,
    [orderId],
  );
  if (!found) throw new Error(`There is no order ${orderId}.`);
  return found;
}

/** A parcel, with its order. */
export type TrackingRow = Pick<Attributes<Order>, 'userId' | 'status' | 'carrier' | 'estimatedDelivery'> &
  Omit<Attributes<Shipment>, 'updatedAt'> & {
    orderNumber: string;
    /** The carrier's address of a parcel's page, as it is today. */
    template: Attributes<ShippingMethod>['trackingUrlTemplate'];
    /** Newest first. */
    events: (Pick<Attributes<TrackingEvent>, 'status' | 'location' | 'description'> & {
      timestamp: string;
    })[];
  };

const TRACKING = `SELECT o.id AS order_id, o.number AS order_number, o.user_id, o.status, o.carrier,
    o.estimated_delivery, s.tracking_number,
    s.tracking_url, m.tracking_url_template AS template, s.shipped_at,
    s.delivered_at,
    coalesce((SELECT json_agg(json_build_object('status', e.status, 'location', e.location,
        'description', e.description, 'timestamp', e.happened_at) ORDER BY e.happened_at DESC, e.id DESC)
      FROM tracking_events e WHERE e.order_id = o.id), '[]') AS events
  FROM orders o JOIN shipping_methods m ON m.id = o.shipping_method_id LEFT JOIN shipments s ON s.order_id = o.id`;

/** The parcel of a user's own order; null for an order of someone else and for an unknown one. */
export function trackingOf(db: Db, userId: string, orderId: string): Promise<TrackingRow | null> {
  return firstRow<TrackingRow>(db, `${TRACKING} WHERE o.id = $1 AND o.user_id = $2`, [orderId, userId]);
}

/** Every parcel of a user that has been shipped, newest order first. */
export function trackingsOf(db: Db, userId: string): Promise<TrackingRow[]> {
  return rows<TrackingRow>(
    db,
    `${TRACKING} WHERE o.user_id = $1 AND s.shipped_at IS NOT NULL ORDER BY o.created_at DESC, o.id DESC`,
    [userId],
  );
}
