import type { TrackingStatus } from '../../../workflows/commerce/shipment/tracking.rules';
import { execute, firstRow, type Tx } from '../../sql/query';

/** What is known of an order's parcel. */
export interface Shipment {
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: Date | null;
  deliveredAt: Date | null;
}

/** What an administrator says of a parcel: what is left out stays, null takes away. */
export interface TrackingData {
  trackingNumber?: string | null;
  trackingUrl?: string | null;
}

const NOTHING: Shipment = { trackingNumber: null, trackingUrl: null, shippedAt: null, deliveredAt: null };

/** The parcel of an order as it stands. Who means to change it holds the order's lock. */
export async function shipmentOf(tx: Tx, orderId: string): Promise<Shipment> {
  const found = await firstRow<Shipment>(
    tx,
    `SELECT tracking_number, tracking_url, shipped_at,
       delivered_at FROM shipments WHERE order_id = $1`,
    [orderId],
  );
  return found ?? NOTHING;
}

/** Writes the parcel down as it now stands. The caller holds the order's lock. */
export async function keepShipment(tx: Tx, orderId: string, shipment: Shipment, at: Date): Promise<void> {
  await execute(
    tx,
    `INSERT INTO shipments (order_id, tracking_number, tracking_url, shipped_at, delivered_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (order_id) DO UPDATE SET tracking_number = $2, tracking_url = $3, shipped_at = $4,
       delivered_at = $5, updated_at = $6`,
    [orderId, shipment.trackingNumber, shipment.trackingUrl, shipment.shippedAt, shipment.deliveredAt, at],
  );
}

export interface TrackingEventEntry {
  id: string;
  orderId: string;
  status: TrackingStatus;
  location: string | null;
  description: string;
  happenedAt: Date;
}

/** Adds what happened to a parcel; false when this very event is there already. */
export async function addTrackingEvent(tx: Tx, event: TrackingEventEntry, at: Date): Promise<boolean> {
  const added = await execute(
    tx,
    `INSERT INTO tracking_events (id, order_id, status, location, description, happened_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [event.id, event.orderId, event.status, event.location, event.description, event.happenedAt, at],
  );
  return added === 1;
}
