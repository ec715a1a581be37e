import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Shipment } from './shipment.model';
import type { TrackingEvent } from './tracking-event.model';

/** The parcel of an order. */
export type ShipmentRecord = Omit<Attributes<Shipment>, 'orderId' | 'updatedAt'>;

/** Tracking data as an administrator sets them: a field that is left out stays, null removes it. */
export type TrackingData = Partial<Pick<ShipmentRecord, 'trackingNumber' | 'trackingUrl'>>;

const UNKNOWN: ShipmentRecord = {
  trackingNumber: null,
  trackingUrl: null,
  shippedAt: null,
  deliveredAt: null,
};

/** The parcel of an order, without data where nothing is known. Callers that change it hold the order's lock. */
export async function shipmentOf(tx: Tx, orderId: string): Promise<ShipmentRecord> {
  const found = await table(tx, Shipment).one(['trackingNumber', 'trackingUrl', 'shippedAt', 'deliveredAt'], {
    orderId,
  });
  return found ?? UNKNOWN;
}

/** Saves the parcel. The caller holds the order's lock. */
export async function saveShipment(tx: Tx, orderId: string, parcel: ShipmentRecord, at: Date): Promise<void> {
  await execute(
    tx,
    `INSERT INTO shipments (order_id, tracking_number, tracking_url, shipped_at, delivered_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (order_id) DO UPDATE SET tracking_number = $2, tracking_url = $3, shipped_at = $4,
       delivered_at = $5, updated_at = $6`,
    [orderId, parcel.trackingNumber, parcel.trackingUrl, parcel.shippedAt, parcel.deliveredAt, at],
  );
}

export type NewTrackingEvent = Omit<Attributes<TrackingEvent>, 'createdAt'>;

/** Adds an event of a parcel; false when the event with this id is there already. */
export async function insertTrackingEvent(tx: Tx, event: NewTrackingEvent, at: Date): Promise<boolean> {
  const added = await execute(
    tx,
    `INSERT INTO tracking_events (id, order_id, status, location, description, happened_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [event.id, event.orderId, event.status, event.location, event.description, event.happenedAt, at],
  );
  return added === 1;
}
