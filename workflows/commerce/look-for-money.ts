import { isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { Attention } from '../parking';
import { now, providerLookup, startBeside } from '../steps';
import type { CheckoutActivities, PaymentLookupActivities } from './checkout.contract';
import type { RefundDue } from './order.contract';
import { paymentRefundProcess } from './payment-refund.contract';

/** Money that a provider has but did not report is found here; a silent provider must not hold up stock. */
export async function lookForMoney(
  orderId: string,
  local: CheckoutActivities,
  attention: Attention,
): Promise<void> {
  const providers = await attention.step('find the providers that may have money', () =>
    local.providersToAsk({ orderId }),
  );
  for (const provider of providers) {
    try {
      const lookup = providerLookup<PaymentLookupActivities>(provider);
      await startRefunds(await lookup.lookUpPayments({ orderId, provider, at: now() }));
    } catch (error) {
      if (isCancellation(error)) throw error;
      setCurrentDetails(`${provider} could not be asked; money that comes later will be sent back.`);
    }
  }
}

/** Starts what sends money back; what was started before goes on. */
export async function startRefunds(refunds: RefundDue[]): Promise<void> {
  for (const refund of refunds) await startBeside(paymentRefundProcess, refund);
}
