import { z } from 'zod';
import { toMajor } from '../../workflows/commerce/money.rules';
import { endpoint } from '../http/endpoint';
import { text } from '../http/request/fields';
import { perMinute } from '../http/limits/limits';
import { cancelThroughItsProcess } from './cancel-through-its-process';
import { ownOrder } from './own-order';
import { orderReference } from '../http/request/ids/references';

const Cancelled = z
  .object({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: z.literal('CANCELLED'),
    refundStatus: z
      .enum(['PENDING', 'PROCESSING', 'COMPLETED'])
      .nullable()
      .describe('What becomes of the money; null if nothing was paid.'),
    refundAmount: z.number().nullable().describe('The money that is sent back; null if nothing was paid.'),
    message: z.string(),
  })
  .meta({ id: 'CancelledOrder' });

const MESSAGES = {
  none: 'The order is cancelled. Nothing had been paid.',
  COMPLETED: 'The order is cancelled and the money is back on your balance.',
  PROCESSING: 'The order is cancelled and the money is on its way back.',
};

export const cancelOrder = endpoint({
  id: 'cancelOrder',
  returns: 'The cancelled order, and what becomes of the money',
  method: 'post',
  path: '/orders/:id/cancel',
  summary: 'Cancel an order that has not been shipped',
  description: 'Possible until the order is shipped. What was paid is sent back.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: orderReference('PENDING_PAYMENT', 'PROCESSING') }),
  body: z.object({ reason: text({ min: 1, max: 500 }) }),
  success: 200,
  data: Cancelled,
  errors: { ORDER_NOT_FOUND: 404, CANNOT_CANCEL: 400 },

  async handle({ params: { id }, body: { reason } }, context) {
    const { db, caller } = context;
    const order = await ownOrder(db, caller.id, id);
    const cancelled = await cancelThroughItsProcess(context, order, { reason });
    return {
      orderId: id,
      orderNumber: order.orderNumber,
      status: 'CANCELLED' as const,
      refundStatus: cancelled.refundStatus,
      refundAmount:
        cancelled.refundAmountMinor === null ? null : toMajor(cancelled.refundAmountMinor, order.currency),
      message: MESSAGES[cancelled.refundStatus ?? 'none'],
    };
  },
});
