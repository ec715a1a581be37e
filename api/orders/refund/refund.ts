import { z } from 'zod';
import { storeNote } from '../../../db/administration/idempotency/request-note.writes';
import { orderDetail } from '../../../db/commerce/order/order.reads';
import { refundRequest } from '../../../db/commerce/refund/refund-request.reads';
import { MOST_CART_LINES } from '../../../db/policy/config';
import { toMajor } from '../../../workflows/commerce/money.rules';
import {
  refundRequestProcess,
  requestRefund,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { noSuchOrder } from '../own-order';
import { requireRequestable } from './requestable';
import { RefundItem, refundItemsView } from './refund.view';
import { orderReference } from '../../http/request/ids/references';
import { identifying } from '../../http/request/ids/identified';

/** Above the number of units of any order line. */
const MAX_UNITS = 100_000;

const Requested = z
  .object({
    refundRequestId: z.uuid().describe('The refund request.'),
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: z.literal('PENDING_REVIEW'),
    requestedAmount: z.number().describe('What the buyer asks for.'),
    items: z.array(RefundItem).describe('What is to be refunded of which lines.'),
    message: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RequestedRefund' });

export const requestRefundEndpoint = endpoint({
  id: 'requestRefund',
  returns: 'The refund request, which an administrator will decide',
  method: 'post',
  path: '/orders/:id/refund',
  summary: 'Request a refund',
  description:
    'For goods of an order that was shipped, until 14 days after it was delivered. An administrator decides. Whole lines (`itemIds`), a number of units of lines (`items`), or both; all remaining goods when neither is sent. Shipping is refunded when no goods of the order remain. An order has one open request at a time.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: orderReference('DELIVERED') }),
  body: z.object({
    reason: text({ min: 1, max: 500 }).meta({ example: 'It does not fit.' }),
    itemIds: z
      .array(identifying(uuid(), 'order item'))
      .min(1)
      .max(MOST_CART_LINES)
      .nullish()
      .describe('Whole lines to give back. Without these and `items`: all of the order.'),
    items: z
      .array(
        z.object({
          itemId: identifying(uuid(), 'order item').describe('A line of the order: `id` in its `items`.'),
          quantity: z.int().min(1).max(MAX_UNITS),
        }),
      )
      .min(1)
      .max(MOST_CART_LINES)
      .nullish()
      .describe('Units of lines to give back.'),
    description: text({ max: 2_000 }).nullish(),
  }),
  example: { itemIds: undefined },
  success: 201,
  data: Requested,
  errors: {
    ORDER_NOT_FOUND: 404,
    CANNOT_REFUND: 400,
    REFUND_PERIOD_EXPIRED: 400,
    REFUND_ALREADY_REQUESTED: 409,
  },

  async handle({ params: { id: orderId }, body }, context) {
    const { db, caller, processes, request } = context;
    const order = await orderDetail(db, caller.id, orderId);
    if (!order) throw noSuchOrder();
    const named = { itemIds: body.itemIds ?? null, items: body.items ?? null };
    await requireRequestable(order, named, context);
    const { refund: refundRequestId, ...notes } = await storeNotes(context, body);
    const requested = await processes.open(
      refundRequestProcess,
      { refundRequestId, orderId, userId: caller.id, label: order.orderNumber },
      requestRefund,
      { ...named, ...notes },
      { updateId: request.idempotencyId },
    );
    const row = await refundRequest(db, refundRequestId);
    return {
      refundRequestId,
      orderId,
      orderNumber: order.orderNumber,
      status: 'PENDING_REVIEW' as const,
      requestedAmount: toMajor(requested.requestedMinor, requested.currency),
      items: row ? refundItemsView(row) : [],
      message: 'We will email you the decision.',
      createdAt: requested.createdAt,
    };
  },
});

/** Stores the buyer's texts as request notes; the process has only their ids. */
async function storeNotes(
  context: Context<'user'>,
  { reason, description }: { reason: string; description?: string | null | undefined },
): Promise<{ refund: string; reasonNoteId: string; descriptionNoteId: string | null }> {
  const { db, caller, mint, request } = context;
  const { refund, details } = await mint('refund', 'note', 'details');
  const reasonNoteId = await noteOf(context, reason);
  if (!description) return { refund, reasonNoteId, descriptionNoteId: null };
  const { clientAddress } = request;
  await storeNote(db, details, { actorId: caller.id, clientAddress, text: description });
  return { refund, reasonNoteId, descriptionNoteId: details };
}
