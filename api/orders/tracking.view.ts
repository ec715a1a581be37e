import { z } from 'zod';
import type { TrackingRow } from '../../db/commerce/shipment/tracking.reads';
import { TRACKING_STATUSES, trackingUrlOf } from '../../workflows/commerce/shipment/tracking.rules';
import { OrderStatusField } from './order.view';

export const TrackingStatusField = z.enum(TRACKING_STATUSES);

export const Tracking = z
  .object({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: OrderStatusField,
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    estimatedDelivery: z.iso.date().nullable(),
    events: z
      .array(
        z.object({
          status: TrackingStatusField,
          location: z.string().nullable(),
          description: z.string(),
          timestamp: z.iso.datetime(),
        }),
      )
      .meta({ description: 'Newest first.' }),
    shippedAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Tracking' });

/** A parcel as its buyer sees it. */
export const showTracking = (row: TrackingRow): z.input<typeof Tracking> => ({
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
