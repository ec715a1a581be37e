import { z } from 'zod';
import type { OrderHead } from '../../../db/commerce/order/order.reads';
import { trackedOrder, type TrackedOrder } from '../../../db/commerce/shipment/tracking.reads';
import { INTERNAL_NOTE_LENGTH } from '../../../workflows/commerce/order/internal-note.rules';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { OrderStatusField } from '../../orders/order.view';
import { actorOf } from '../actor';
import { updateOrderDetails, noShipment } from './describe.command';
import { cancelThroughProcess, moveThroughProcess } from './move';
import { requireOrder } from './require-order';
import { orderReference } from '../../http/request/ids/references';

const ChangeOrderRequest = z
  .object({
    status: z.enum(['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']).optional(),
    trackingNumber: text({ min: 1, max: 100 }).nullish().meta({
      description: "The carrier's number of the parcel; null removes it.",
      example: '00340434161094',
    }),
    trackingUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2_000)
      .nullish()
      .meta({
        description: "The parcel's page; without it the carrier's own page of the number.",
        example: 'https://parcel-post.example.com/track/00340434161094',
      }),
    note: text({ min: 1, max: 500 })
      .optional()
      .meta({ description: 'Shown to the buyer in the history of the order.' }),
    internalNote: text({ min: 1, max: INTERNAL_NOTE_LENGTH }).optional().meta({
      description: 'Added to the notes of administrators, which buyers never see.',
      example: 'The buyer rang: deliver after Monday.',
    }),
    notifyCustomer: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the buyer gets an email; by default not.' }),
  })
  .meta({
    id: 'ChangeOrderRequest',
    example: {
      trackingNumber: '00340434161094',
      trackingUrl: 'https://parcel-post.example.com/track/00340434161094',
      note: 'Sent in two parcels.',
      internalNote: 'The buyer rang: deliver after Monday.',
      notifyCustomer: true,
    },
  });
type OrderChanges = z.output<typeof ChangeOrderRequest>;

export const changeOrder = endpoint({
  id: 'updateOrder',
  returns: 'The order as it is now',
  method: 'patch',
  path: '/admin/orders/:id',
  summary: 'Move an order on, or change its tracking data and note',
  description:
    'All fields are optional. A status that cannot follow the current one is refused. CANCELLED sends the money back. Without a status the order does not move: tracking data are changed, and the note is added to the current status. An internal note is only added, with or without a status.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: orderReference() }),
  body: ChangeOrderRequest,
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      orderNumber: z.string(),
      status: OrderStatusField,
      trackingNumber: z
        .string()
        .nullable()
        .describe('The number of the parcel with its carrier; null until it is shipped.'),
      updatedAt: z.iso.datetime(),
      updatedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'ChangedOrder' }),
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, context) {
    const order = await requireOrder(context.db, id);
    const { status, trackingNumber, updatedAt } = await applyChanges(context, order, body);
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

/** Moves or cancels the order through its process where a status is sent, else changes what is known of it. */
async function applyChanges(
  context: Context<'admin'>,
  order: OrderHead,
  { status, trackingNumber, trackingUrl, note, internalNote, notifyCustomer = false }: OrderChanges,
): Promise<Omit<TrackedOrder, 'updatedAt'> & { updatedAt: Date | string }> {
  const tracking = {
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
  };
  const notice = { note: note ?? null, internalNote, notifyCustomer };
  if (status === 'CANCELLED') {
    const fields = Object.keys(tracking);
    if (fields.length > 0) throw noShipment(fields);
    await cancelThroughProcess(context, order, notice);
    return { ...(await trackedOrder(context.db, order.id)), status };
  }
  if (status !== undefined) return moveThroughProcess(context, order, { to: status, ...tracking }, notice);
  const { db, caller, mint, request } = context;
  return updateOrderDetails(db, {
    orderId: order.id,
    idempotencyId: request.idempotencyId,
    ...tracking,
    ...(note !== undefined && { note }),
    ...(internalNote !== undefined && {
      internalNote: {
        id: (await mint('internalNote')).internalNote,
        text: internalNote,
        createdBy: caller.id,
      },
    }),
    notifyCustomer,
    by: actorOf(context),
  });
}
