import { z } from 'zod';
import { toMinor } from '../../../workflows/commerce/money.rules';
import {
  refundOrder,
  refundRequestProcess,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { money, text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { RefundStatusField } from '../../orders/refund/refund.view';
import { requireOrder } from './require-order';
import { orderReference } from '../../http/request/ids/references';
import { identifying } from '../../http/request/ids/identified';

/** Above the number of lines of any order, and of units of any line. */
const MAX_ITEMS = 500;
const MAX_UNITS = 100_000;

const OrderRefund = z
  .object({
    items: z
      .array(
        z.object({
          itemId: identifying(uuid(), 'order item').describe('A line of the order: `id` in its `items`.'),
          quantity: z.int().min(1).max(MAX_UNITS),
        }),
      )
      .min(1)
      .max(MAX_ITEMS)
      .nullish()
      .meta({ description: 'Not together with `amount`.' }),
    amount: money({ min: 0.01 })
      .nullish()
      .meta({ description: 'Without units: of goods and their tax, then of shipping.', example: 5 }),
    includeShipping: z
      .boolean()
      .nullish()
      .meta({ description: 'Also the rest of the shipping, with its tax.' }),
    reason: text({ min: 1, max: 500 }).meta({ example: 'The parcel came late.' }),
  })
  .superRefine(({ items, amount, includeShipping }, check) => {
    const both = items && typeof amount === 'number';
    const none = !items && typeof amount !== 'number' && includeShipping !== true;
    if (both)
      check.addIssue({ code: 'custom', path: ['amount'], message: 'must be left out when items are given' });
    if (none)
      check.addIssue({
        code: 'custom',
        path: ['amount'],
        message: 'one of amount, items and includeShipping is required',
      });
  })
  .meta({ id: 'OrderRefundRequest', example: { amount: 5, reason: 'The parcel came late.' } });

export const refundOrderEndpoint = endpoint({
  id: 'refundOrder',
  returns: 'The refund, which is approved already',
  method: 'post',
  path: '/admin/orders/:id/refunds',
  summary: 'Refund an order',
  description:
    'For any paid order. Approved at once and sent back like a refund that a buyer requested. Units in an open request of the buyer are decided on with that. The buyer gets an email.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: orderReference('DELIVERED', 'SHIPPED', 'PROCESSING') }),
  body: OrderRefund,
  success: 201,
  data: z
    .object({
      refundRequestId: z.uuid().describe('The refund request.'),
      status: RefundStatusField,
    })
    .meta({ id: 'GrantedRefund', description: 'A refund by an administrator.' }),
  errors: { ORDER_NOT_FOUND: 404, CANNOT_REFUND: 400, REFUND_ALREADY_REQUESTED: 409, FORBIDDEN: 403 },

  async handle({ params: { id: orderId }, body }, context) {
    const { db, caller, mint, processes, request } = context;
    const order = await requireOrder(db, orderId);
    if (order.userId === caller.id) throw refusal('FORBIDDEN', 'You cannot refund your own order.');
    const { refund: refundRequestId } = await mint('refund', 'note');
    const noteId = await noteOf(context, body.reason);
    const { status } = await processes.open(
      refundRequestProcess,
      { refundRequestId, orderId, userId: order.userId, label: order.orderNumber },
      refundOrder,
      {
        items: body.items ?? null,
        amountMinor: typeof body.amount === 'number' ? toMinor(body.amount, order.currency) : null,
        includeShipping: body.includeShipping ?? false,
        noteId,
      },
      { updateId: request.idempotencyId },
    );
    return { refundRequestId, status };
  },
});
