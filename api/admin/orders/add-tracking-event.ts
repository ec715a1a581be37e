import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { isoDate, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { invalid } from '../../http/validation/validation';
import { TrackingStatusField } from '../../orders/tracking.view';
import { actorOf } from '../actor';
import { recordTrackingEvent } from './add-tracking-event.command';
import { requireOrder } from './require-order';
import { orderReference } from '../../http/request/ids/references';

/** Carriers' clocks may be a little ahead of ours. */
const AHEAD_MS = 5 * 60_000;
/** Earlier than any parcel of ours. */
const LONG_AGO = new Date('2000-01-01');

export const addTrackingEvent = endpoint({
  id: 'addTrackingEvent',
  returns: 'The new event',
  method: 'post',
  path: '/admin/orders/:id/tracking-events',
  summary: 'Add an event of a parcel on its way',
  description:
    'For an order that has been shipped. The order itself does not move, even with DELIVERED: PATCH /admin/orders/:id moves it.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: z.object({ id: orderReference('SHIPPED', 'DELIVERED') }),
  body: z
    .object({
      status: TrackingStatusField,
      location: text({ min: 1, max: 200 })
        .nullish()
        .meta({ description: 'Where it happened; null if unknown.', example: 'Leipzig, DE' }),
      description: text({ min: 1, max: 500 }).meta({ example: 'The parcel reached the parcel centre.' }),
      timestamp: isoDate().optional().meta({ description: 'The time of the event; now by default.' }),
    })
    .meta({ id: 'AddTrackingEventRequest' }),
  success: 201,
  data: z
    .object({
      id: z.uuid(),
      orderId: z.uuid(),
      status: TrackingStatusField,
      location: z.string().nullable().describe('Where it happened; null if unknown.'),
      description: z.string(),
      timestamp: z.iso.datetime().describe('When it happened.'),
    })
    .meta({ id: 'AddedTrackingEvent' }),
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id: orderId }, body }, context) {
    const { db, mint } = context;
    await requireOrder(db, orderId);
    const now = new Date();
    const happenedAt = body.timestamp === undefined ? now : new Date(body.timestamp);
    if (happenedAt.getTime() > now.getTime() + AHEAD_MS)
      throw invalid({ timestamp: ['must not be in the future'] });
    if (happenedAt < LONG_AGO) throw invalid({ timestamp: ['must not be before 2000'] });
    const { event: id } = await mint('event');
    const { status, location = null, description } = body;
    const event = { id, orderId, status, location, description, happenedAt };
    // Chosen: an event does not move the order, since carriers report parcels as delivered that a neighbour took.
    await recordTrackingEvent(db, event, actorOf(context));
    return { id, orderId, status, location, description, timestamp: happenedAt.toISOString() };
  },
});
