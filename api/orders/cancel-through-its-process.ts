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
 * Cancels an order through its process, for buyers and administrators. Refused: CANNOT_CANCEL.
 *
 * Checkout handles an order until it is paid, and fulfilment from then on. An order that is being paid may be between
 * the two, so fulfilment is started if it is not running.
 */
export async function cancelThroughItsProcess(
  { db, processes, request }: Pick<Context, 'db' | 'processes' | 'request'>,
  order: OrderHead,
  command: CancelRequest,
): Promise<CancelledOrder> {
  const input = { orderId: order.id, userId: order.userId };
  const options = { updateId: request.idempotencyId, ifClosed: 'CANNOT_CANCEL' } as const;
  let { status } = order;
  let isTooLate = !isCancellable(status);
  if (status === 'PENDING_PAYMENT') {
    try {
      return await processes.ask(checkoutProcess.id(input), cancelOrder, command, options);
    } catch (error) {
      if (refusalIn(error)?.code !== 'CANNOT_CANCEL') throw error;
      status = (await orderHead(db, order.id))?.status ?? status;
      // Cancelled in the meantime, perhaps by this command, whose answer was lost: fulfilment answers the result.
      isTooLate = status !== 'CANCELLED' && !isCancellable(status);
    }
  }
  if (isTooLate || status === 'CANCELLED') {
    const done = await cancellationBy(db, order.id, command.noteId);
    if (done) return { ...done, refundsDue: [] };
  }
  if (isTooLate) throw refusal('CANNOT_CANCEL', `A ${status} order can no longer be cancelled.`);
  return processes.open(fulfilmentProcess, input, cancelOrder, command, options);
}
