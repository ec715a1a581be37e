import { z } from 'zod';
import { describeOrder } from '../../../db/commerce/order/order-description.writes';
import { orderHead, type OrderHead } from '../../../db/commerce/order/order.reads';
import { orderStanding, type OrderStanding } from '../../../db/commerce/shipment/tracking.reads';
import { endpoint, type Context } from '../../http/endpoint';
import { text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { invalid } from '../../http/request/validation';
import { OrderStatusField } from '../../orders/order.view';
import { cancelThroughProcess, moveThroughProcess } from './move';
import { noOrder } from './no-order';

const ChangeOrderRequest = z
  .object({
    status: z.enum(['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']).optional(),
    trackingNumber: text({ min: 1, max: 100 }).nullish().meta({
      description: 'What the carrier calls the parcel; null takes it away.',
      example: '00340434161094',
    }),
    trackingUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2_000)
      .nullish()
      .meta({
        description: "The parcel's page; without it the carrier's own, made of the number.",
        example: 'https://parcel-post.example.com/track/00340434161094',
      }),
    note: text({ min: 1, max: 500 })
      .optional()
      .meta({ description: 'Stands in the history of the order, for the buyer to read.' }),
    notifyCustomer: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the buyer is told by mail; not unless asked for.' }),
  })
  .meta({
    id: 'ChangeOrderRequest',
    example: {
      trackingNumber: '00340434161094',
      trackingUrl: 'https://parcel-post.example.com/track/00340434161094',
      note: 'Sent in two parcels.',
      notifyCustomer: true,
    },
  });
type Changes = z.output<typeof ChangeOrderRequest>;

export const changeOrder = endpoint({
  method: 'patch',
  path: '/admin/orders/:id',
  summary: 'Move an order on, or say something of it',
  description:
    'All fields are optional. A status that cannot follow the one the order has is refused. CANCELLED sends the money back. Without a status the order stays where it is: tracking data are changed, and the note stands at the status that it has.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: uuid() }),
  body: ChangeOrderRequest,
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      orderNumber: z.string(),
      status: OrderStatusField,
      trackingNumber: z.string().nullable(),
      updatedAt: z.iso.datetime(),
      updatedBy: z.uuid(),
    })
    .meta({ id: 'ChangedOrder' }),
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, context) {
    const order = await orderHead(context.db, id);
    if (!order) throw noOrder();
    const { status, trackingNumber, updatedAt } = await changed(context, order, body);
    return {
      id,
      orderNumber: order.orderNumber,
      status,
      trackingNumber,
      updatedAt: new Date(updatedAt).toISOString(),
      updatedBy: context.caller.id,
    };
  },
});

async function changed(
  context: Context<'admin'>,
  order: OrderHead,
  { status, trackingNumber, trackingUrl, note, notifyCustomer = false }: Changes,
): Promise<Omit<OrderStanding, 'updatedAt'> & { updatedAt: Date | string }> {
  const tracking = {
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
  };
  const beside = { note: note ?? null, notifyCustomer };
  if (status === 'CANCELLED') {
    const given = Object.keys(tracking);
    if (given.length > 0) throw invalid(noParcel(given));
    await cancelThroughProcess(context, order, beside);
    return { ...(await orderStanding(context.db, order.id)), status };
  }
  if (status !== undefined) return moveThroughProcess(context, order, { to: status, ...tracking }, beside);
  const { db, caller, request } = context;
  const described = await describeOrder(db, {
    orderId: order.id,
    idempotencyId: request.idempotencyId,
    ...tracking,
    ...(note !== undefined && { note }),
    notifyCustomer,
    by: { actorId: caller.id, clientAddress: request.clientAddress },
  });
  if (described === 'no parcel') throw invalid(noParcel(Object.keys(tracking)));
  return described;
}

/** Chosen: nothing of a cancelled order travels, so there is nothing to track. */
const noParcel = (fields: string[]): Record<string, string[]> =>
  Object.fromEntries(fields.map((field) => [field, ['an order that is cancelled has no parcel']]));
