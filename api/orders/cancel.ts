import { z } from 'zod';
import { keepNote } from '../../db/administration/request-note.writes';
import type { OrderHead } from '../../db/commerce/order.reads';
import { checkoutProcess } from '../../workflows/commerce/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/fulfilment.contract';
import { toMajor } from '../../workflows/commerce/money.rules';
import { cancelOrder, type CancelledOrder } from '../../workflows/commerce/order.contract';
import { isCancellable } from '../../workflows/commerce/order.states';
import { refusal, refusalIn } from '../../workflows/errors';
import { endpoint, type Context } from '../http/endpoint';
import { text, uuid } from '../http/fields';
import { perMinute } from '../http/limits';
import { ownOrder } from './own-order';

const Cancelled = z
  .object({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: z.literal('CANCELLED'),
    refundStatus: z.enum(['PENDING', 'PROCESSING', 'COMPLETED']).nullable(),
    refundAmount: z.number().nullable(),
    message: z.string(),
  })
  .meta({ id: 'CancelledOrder' });

const MESSAGES = {
  none: 'The order is cancelled. Nothing had been paid.',
  COMPLETED: 'The order is cancelled and the money is back on your balance.',
  PROCESSING: 'The order is cancelled and the money is on its way back.',
};

export const cancelOrderEndpoint = endpoint({
  method: 'post',
  path: '/orders/:id/cancel',
  summary: 'Cancel an order that has not left',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: uuid() }),
  body: z.object({ reason: text({ min: 1, max: 500 }) }),
  success: 200,
  data: Cancelled,
  errors: { ORDER_NOT_FOUND: 404, CANNOT_CANCEL: 400 },

  async handle({ params: { id }, body: { reason } }, context) {
    const { db, caller, mint, request } = context;
    const order = await ownOrder(db, caller.id, id);
    const noteId = await mint('note');
    await keepNote(db, noteId, { actorId: caller.id, clientAddress: request.clientAddress, text: reason });
    const cancelled = await askItsProcess(context, order, noteId);
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

/**
 * An order belongs to checkout until it is paid and to fulfilment from then on. One that is paid at this very moment
 * may have left the first and not yet reached the second, so fulfilment is started if it is not there.
 */
async function askItsProcess(
  { db, processes, request, caller }: Context<'user'>,
  order: OrderHead,
  noteId: string,
): Promise<CancelledOrder> {
  const input = { orderId: order.id, userId: caller.id };
  const asked = { updateId: request.wishId, otherwise: 'CANNOT_CANCEL' } as const;
  let { status } = order;
  let concluded = !isCancellable(status);
  if (status === 'PENDING_PAYMENT') {
    try {
      return await processes.ask(checkoutProcess.id(input), cancelOrder, { noteId }, asked);
    } catch (error) {
      if (refusalIn(error)?.code !== 'CANNOT_CANCEL') throw error;
      ({ status } = await ownOrder(db, caller.id, order.id));
      // Cancelled meanwhile, perhaps by this very wish, whose answer was lost: fulfilment tells what became of it.
      concluded = status !== 'CANCELLED' && !isCancellable(status);
    }
  }
  if (concluded) throw refusal('CANNOT_CANCEL', `A ${status} order can no longer be cancelled.`);
  return processes.open(fulfilmentProcess, input, cancelOrder, { noteId }, asked);
}
