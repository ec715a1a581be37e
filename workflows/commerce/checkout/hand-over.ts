import { TemporalFailure } from '@temporalio/common';
import { isCancellation, log } from '@temporalio/workflow';
import { startDetached, localTransactionsForever } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { checkoutProcess } from './checkout.contract';
import { fulfilmentProcess, type FulfilmentInput } from '../fulfilment/fulfilment.contract';
import { orderMoved, paymentReported, type OrderActivities, type OrderState } from '../order/order.contract';

/**
 * Hands over an order that was paid outside its checkout: signals the checkout, and starts fulfilment whether or not the
 * checkout is running. So a checkout that was abandoned or terminated, even before it read the signal, leaves no paid
 * order without fulfilment. A running checkout starts fulfilment too; the second start changes nothing.
 */
export async function handOver(order: FulfilmentInput): Promise<void> {
  await Promise.all([wakeCheckout(order), startDetached(fulfilmentProcess, order)]);
}

/** Signals an order's checkout to read the order again. A closed checkout requires no signal. */
export async function wakeCheckout(order: FulfilmentInput): Promise<void> {
  await notify(checkoutProcess, order, paymentReported);
}

/**
 * Hands over the order of an abandoned checkout: fulfilment is started for a paid order, and signalled for one that was
 * paid and cancelled.
 */
export async function passOn({ orderId, userId }: FulfilmentInput): Promise<void> {
  const state = await orderStateNow(orderId);
  const order = { orderId, userId, ...(state?.label !== undefined && { label: state.label }) };
  if (state?.status === 'PAID') await startDetached(fulfilmentProcess, order);
  else if (state?.status === 'CANCELLED' && state.wasPaid) await notify(fulfilmentProcess, order, orderMoved);
}

/** The state of the order of an abandoned checkout; null when it cannot be read. */
async function orderStateNow(orderId: string): Promise<OrderState | null> {
  try {
    return await localTransactionsForever<OrderActivities>().orderState({ orderId });
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    log.warn('abandoned, and the order could not be read', { orderId });
    return null;
  }
}
