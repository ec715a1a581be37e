import { totalLabel } from '../../workflows/commerce/order/order-label.rules';
import { cancellationBy } from '../../db/commerce/refund/cancellation.reads';
import { orderHead, type OrderHead } from '../../db/commerce/order/order.reads';
import { checkoutProcess } from '../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/fulfilment/fulfilment.contract';
import {
  cancelOrder,
  tooLateToCancel,
  type CancelledOrder,
  type CancelRequest,
} from '../../workflows/commerce/order/order.contract';
import { isCancellable } from '../../workflows/commerce/order/order.states';
import { refusalIn } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import { noteOf } from '../http/idempotency/note';

/** A cancellation, with the words that its note gets. */
type Cancellation = Omit<CancelRequest, 'noteId'> & { reason: string | null };

/**
 * Cancels an order through its process, for buyers and administrators. Refused: CANNOT_CANCEL.
 *
 * Checkout handles an order until it is paid, and fulfilment from then on. An order that is being paid may be between
 * the two, so fulfilment is started if it is not running. Nothing is stored about an order for which it is too late.
 */
export async function cancelThroughItsProcess(
  context: Pick<Context<'user'>, 'caller' | 'db' | 'mint' | 'processes' | 'request'>,
  order: OrderHead,
  { reason, ...by }: Cancellation,
): Promise<CancelledOrder> {
  const { db, mint, processes, request } = context;
  const { note: noteId } = await mint('note');
  const command: CancelRequest = { noteId, ...by };
  const input = { orderId: order.id, userId: order.userId, label: totalLabel(order) };
  const options = { updateId: request.idempotencyId };
  let { status } = order;
  let isTooLate = !isCancellable(status);
  if (!isTooLate) await noteOf(context, reason);
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
  if (isTooLate) throw tooLateToCancel(status);
  return processes.open(fulfilmentProcess, input, cancelOrder, command, options);
}
