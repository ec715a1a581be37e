import { z } from 'zod';
import { orderHead } from '../../../db/commerce/order/order.reads';
import { queueParcelMail } from '../../../db/commerce/shipment/tracking-event.writes';
import { endpoint } from '../../http/endpoint';
import { isoDate, text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { invalid } from '../../http/request/validation';
import { TrackingStatusField } from '../../orders/tracking.view';
import { noOrder } from './no-order';

/** Clocks of carriers may be a little ahead of ours. */
const AHEAD_MS = 5 * 60_000;
/** No parcel of ours was under way then. */
const LONG_AGO = new Date('2000-01-01');

export const addTrackingEvent = endpoint({
  method: 'post',
  path: '/admin/orders/:id/tracking-events',
  summary: 'Add what happened to a parcel on its way',
  description:
    'For an order that has been shipped. The order itself stays where it is, also with DELIVERED: it is moved by PATCH /admin/orders/:id.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: z.object({ id: uuid() }),
  body: z
    .object({
      status: TrackingStatusField,
      location: text({ min: 1, max: 200 }).nullish().meta({ example: 'Leipzig, DE' }),
      description: text({ min: 1, max: 500 }).meta({ example: 'The parcel reached the parcel centre.' }),
      timestamp: isoDate().optional().meta({ description: 'When it happened; now, unless said.' }),
    })
    .meta({ id: 'AddTrackingEventRequest' }),
  success: 201,
  data: z
    .object({
      id: z.uuid(),
      orderId: z.uuid(),
      status: TrackingStatusField,
      location: z.string().nullable(),
      description: z.string(),
      timestamp: z.iso.datetime(),
    })
    .meta({ id: 'AddedTrackingEvent' }),
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id: orderId }, body }, { db, caller, mint, request }) {
    if (!(await orderHead(db, orderId))) throw noOrder();
    const now = new Date();
    const happenedAt = body.timestamp === undefined ? now : new Date(body.timestamp);
    if (happenedAt.getTime() > now.getTime() + AHEAD_MS)
      throw invalid({ timestamp: ['must not be in the future'] });
    if (happenedAt < LONG_AGO) throw invalid({ timestamp: ['must not be so long ago'] });
    const { event: id } = await mint('event');
    const { status, location = null, description } = body;
    const event = { id, orderId, status, location, description, happenedAt };
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    // Chosen: an event alone does not move the order, for carriers say "delivered" of parcels left with a neighbour.
    if (!(await queueParcelMail(db, event, by)))
      throw invalid({ id: ['names an order that has not been shipped'] });
    return { id, orderId, status, location, description, timestamp: happenedAt.toISOString() };
  },
});
