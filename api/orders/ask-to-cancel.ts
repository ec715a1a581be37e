import { cancellationBy } from '../../db/commerce/refund/earlier-request.reads';
import { orderHead, type OrderHead } from '../../db/commerce/order/order.reads';
import { checkoutProcess } from '../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/order/fulfilment.contract';
import {
  cancelOrder,
  type CancelledOrder,
  type CancelRequest,
} from '../../workflows/commerce/order/order.contract';
import { isCancellable } from '../../workflows/commerce/order/order.states';
import { refusal, refusalIn } from '../../workflows/errors';
import type { Context } from '../http/endpoint';

/**
 * Cancels an order through the process that has it, for its buyer and for administrators alike. Refused: CANNOT_CANCEL.
 *
 * An order belongs to checkout until it is paid and to fulfilment from then on. One that is paid at this very moment
 * may have left the first and not yet reached the second, so fulfilment is started if it is not there.
 */
export async function askToCancel(
  { db, processes, request }: Pick<Context, 'db' | 'processes' | 'request'>,
  order: OrderHead,
  wish: CancelRequest,
): Promise<CancelledOrder> {
  const input = { orderId: order.id, userId: order.userId };
  const asked = { updateId: request.idempotencyId, ifClosed: 'CANNOT_CANCEL' } as const;
  let { status } = order;
  let concluded = !isCancellable(status);
  if (status === 'PENDING_PAYMENT') {
    try {
      return await processes.ask(checkoutProcess.id(input), cancelOrder, wish, asked);
    } catch (error) {
      if (refusalIn(error)?.code !== 'CANNOT_CANCEL') throw error;
      status = (await orderHead(db, order.id))?.status ?? status;
      // Cancelled meanwhile, perhaps by this very wish, whose answer was lost: fulfilment tells what became of it.
      concluded = status !== 'CANCELLED' && !isCancellable(status);
    }
  }
  if (concluded || status === 'CANCELLED') {
    const done = await cancellationBy(db, order.id, wish.noteId);
    if (done) return { ...done, refundsDue: [] };
  }
  if (concluded) throw refusal('CANNOT_CANCEL', `A ${status} order can no longer be cancelled.`);
  return processes.open(fulfilmentProcess, input, cancelOrder, wish, asked);
}
