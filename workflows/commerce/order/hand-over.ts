import { TemporalFailure } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, log, type SignalDefinition } from '@temporalio/workflow';
import { startBeside, transactionsWithoutEnd } from '../../kit/proxies';
import { checkoutProcess, type CheckoutResult } from './checkout.contract';
import { fulfilmentProcess, type FulfilmentInput } from './fulfilment.contract';
import { orderMoved, paymentReported, type OrderActivities, type OrderStanding } from './order.contract';

/**
 * For an order that another process than its checkout has paid: wakes the checkout, and starts fulfilment whether or not
 * that lives. A checkout that was abandoned or terminated, even with the signal unread, then leaves no paid order that
 * nobody ships. A checkout that lives starts fulfilment too; whichever comes second changes nothing.
 */
export async function handOver(order: FulfilmentInput): Promise<void> {
  await Promise.all([wakeCheckout(order), startBeside(fulfilmentProcess, order)]);
}

/** Tells an order's checkout to read the order. One that has closed needs no signal; the truth is in the database. */
export async function wakeCheckout(order: FulfilmentInput): Promise<void> {
  await signalIfOpen(checkoutProcess.id(order), paymentReported);
}

/**
 * For a checkout that ends: starts fulfilment when the order is paid, also where an operator gave one of its steps up.
 * An order that was cancelled after another process had paid it may be with fulfilment already, which is told.
 */
export async function concludeCheckout(
  order: FulfilmentInput,
  standing: OrderStanding | string,
  result: CheckoutResult,
): Promise<void> {
  if (result === 'PAID' || (result === 'ABANDONED' && (await isPaidNow(order))))
    await startBeside(fulfilmentProcess, order);
  if (result === 'CANCELLED' && typeof standing !== 'string' && standing.wasPaid)
    await signalIfOpen(fulfilmentProcess.id(order), orderMoved);
}

/** Whether an order is paid that an operator took from its checkout. One that cannot be read is left as it is. */
async function isPaidNow({ orderId }: FulfilmentInput): Promise<boolean> {
  try {
    const standing = await transactionsWithoutEnd<OrderActivities>().orderStanding({ orderId });
    return standing?.status === 'PAID';
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    log.warn('abandoned, and whether the order is paid could not be read', { orderId });
    return false;
  }
}

async function signalIfOpen(workflowId: string, signal: SignalDefinition): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.debug('the process is closed and was not signalled', { workflowId });
  }
}
