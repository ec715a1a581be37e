import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { attentionFor } from '../parking';
import { askedTransactions, everyoneAnswered, now, oneAtATime, startBeside, transactions } from '../steps';
import type { FulfilmentActivities, FulfilmentInput, FulfilmentResult } from './fulfilment.contract';
import * as order from './order.contract';
import type { OrderStatus } from './order.states';
import { paymentRefundProcess } from './payment-refund.contract';

/** One paid order on its way to the buyer: picked up at once, and open to cancellation until it leaves. */
export async function fulfilment({ orderId }: FulfilmentInput): Promise<FulfilmentResult> {
  const books = transactions<FulfilmentActivities>();
  const askedBooks = askedTransactions<FulfilmentActivities>();
  const attention = attentionFor(orderId);
  const alone = oneAtATime();
  let status = 'PAID' as OrderStatus;

  setHandler(order.orderStatus, () => status);
  setHandler(order.cancelOrder, async ({ noteId }) => {
    const cancelled = await alone(() => askedBooks.cancelOrder({ orderId, noteId, at: now() }));
    for (const refund of cancelled.refundsDue) await startBeside(paymentRefundProcess, refund);
    status = 'CANCELLED';
    return cancelled;
  });

  const begun = await attention.orAbandoned(() =>
    attention.step('begin processing the order', () =>
      alone(() => books.beginProcessing({ orderId, at: now() })),
    ),
  );
  // An operator who gives that up does not take the buyer's right to cancel away: the order stays as it is.
  if (begun !== 'ABANDONED' && status !== 'CANCELLED') status = begun.status;
  setCurrentDetails(`${status}: the goods are being made ready.`);
  await condition(() => status === 'CANCELLED');
  setCurrentDetails('Cancelled before the goods left.');
  await everyoneAnswered();
  return 'CANCELLED';
}
