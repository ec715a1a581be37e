import { z } from 'zod';
import type { TrackingRow } from '../../db/commerce/shipment/tracking.reads';
import { TRACKING_STATUSES, trackingUrlOf } from '../../workflows/commerce/shipment/tracking.rules';
import { OrderStatusField } from './order.view';

export const TrackingStatusField = z
  .enum(TRACKING_STATUSES)
  .meta({ id: 'TrackingStatus', description: 'The stage that a parcel has reached.' });

export const Tracking = z
  .object({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: OrderStatusField,
    carrier: z.string().nullable().describe('The company that carries the parcel.'),
    trackingNumber: z
      .string()
      .nullable()
      .describe('The number of the parcel with its carrier; null until it is shipped.'),
    trackingUrl: z.string().nullable().describe("The carrier's page about the parcel; null without one."),
    estimatedDelivery: z.iso
      .date()
      .nullable()
      .describe('The day or days on which the parcel is expected; null if unknown.'),
    events: z
      .array(
        z.object({
          status: TrackingStatusField,
          location: z.string().nullable().describe('Where it happened; null if unknown.'),
          description: z.string(),
          timestamp: z.iso.datetime().describe('When it happened.'),
        }),
      )
      .meta({ description: 'Newest first.' }),
    shippedAt: z.iso.datetime().nullable().describe('When the parcel left; null until then.'),
    deliveredAt: z.iso.datetime().nullable().describe('When the parcel arrived; null until then.'),
  })
  .meta({ id: 'Tracking' });

/** A parcel as its buyer sees it. */
export const trackingView = (row: TrackingRow): z.input<typeof Tracking> => ({
  orderId: row.orderId,
  orderNumber: row.orderNumber,
  status: row.status,
  carrier: row.carrier,
  trackingNumber: row.trackingNumber,
  trackingUrl: trackingUrlOf(row),
  estimatedDelivery: row.estimatedDelivery,
  events: row.events.map((event) => ({ ...event, timestamp: new Date(event.timestamp).toISOString() })),
  shippedAt: row.shippedAt?.toISOString() ?? null,
  deliveredAt: row.deliveredAt?.toISOString() ?? null,
});
