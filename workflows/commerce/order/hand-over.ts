import { TemporalFailure } from '@temporalio/common';
import { isCancellation, log } from '@temporalio/workflow';
import { startDetached, localTransactionsForever } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { checkoutProcess } from './checkout.contract';
import { fulfilmentProcess, type FulfilmentInput } from './fulfilment.contract';
import { orderMoved, paymentReported, type OrderActivities, type OrderState } from './order.contract';

/**
 * For an order that another process than its checkout has paid: wakes the checkout, and starts fulfilment whether or not
 * that lives. A checkout that was abandoned or terminated, even with the signal unread, then leaves no paid order that
 * nobody ships. A checkout that lives starts fulfilment too; whichever comes second changes nothing.
 */
export async function handOver(order: FulfilmentInput): Promise<void> {
  await Promise.all([wakeCheckout(order), startDetached(fulfilmentProcess, order)]);
}

/** Tells an order's checkout to read the order. One that has closed needs no signal; the truth is in the database. */
export async function wakeCheckout(order: FulfilmentInput): Promise<void> {
  await notify(checkoutProcess, order, paymentReported);
}

/**
 * For a checkout that an operator gave up: an order that is paid all the same is shipped, and fulfilment is told of one
 * that was paid and cancelled.
 */
export async function passOn(order: FulfilmentInput): Promise<void> {
  const standing = await standingNow(order);
  if (standing?.status === 'PAID') await startDetached(fulfilmentProcess, order);
  else if (standing?.status === 'CANCELLED' && standing.wasPaid)
    await notify(fulfilmentProcess, order, orderMoved);
}

/** How an order stands that an operator took from its checkout; null where it cannot be read. */
async function standingNow({ orderId }: FulfilmentInput): Promise<OrderState | null> {
  try {
    return await localTransactionsForever<OrderActivities>().orderStanding({ orderId });
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    log.warn('abandoned, and how the order stands could not be read', { orderId });
    return null;
  }
}
