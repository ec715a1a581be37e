import { isCancellation, log } from '@temporalio/workflow';
import type { Entity } from '../../kit/entity';
import { now, providerLookup } from '../../kit/proxies';
import type { CheckoutActivities, FoundPayment, PaymentLookupActivities } from '../order/checkout.contract';
import type { OrderState } from '../order/order.contract';
import { startRefunds } from '../refund/start-refunds';

/** Finds money that providers have but did not report. A provider that does not answer must not block stock. */
export async function lookForMoney(
  orderId: string,
  order: Entity<OrderState>,
  local: CheckoutActivities,
): Promise<void> {
  const at = now();
  const providers = await order.step('find the providers that may have money', () =>
    local.providersToAsk({ orderId }),
  );
  if (providers.length === 0) return;
  const answers = await Promise.all(providers.map((provider) => lookUp({ orderId, provider, at })));
  const lookUps = {
    orderId,
    found: answers.flatMap((answer) => answer ?? []),
    complete: !answers.includes(null),
    at,
  };
  const refunds = await order.step('apply what the providers say', () => local.applyLookUps(lookUps));
  if (refunds.length > 0) log.warn('money that pays no order was found and goes back', { orderId, refunds });
  await startRefunds(refunds);
}

/** A provider's answers on the order's attempts with it; null when it could not be asked. */
async function lookUp(
  order: Parameters<PaymentLookupActivities['lookUpPayments']>[0],
): Promise<FoundPayment[] | null> {
  try {
    return await providerLookup<PaymentLookupActivities>(order.provider).lookUpPayments(order);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a provider could not be asked; money that comes later will be sent back', { ...order });
    return null;
  }
}
