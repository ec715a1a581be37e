import { isCancellation, log } from '@temporalio/workflow';
import { quickProvider } from '../../kit/proxies';
import type { PaymentEventProviderActivities } from './payment-event.contract';

/**
 * Asks a provider whether a payment that we do not know is another system's, until it has said so. False if it is not, and where
 * the provider cannot be asked: then the next call asks again.
 */
export function foreignPayments(provider: string): (paymentId: string) => Promise<boolean> {
  let isOurs = false;
  return async (paymentId) => {
    if (isOurs) return false;
    try {
      const isForeign = await quickProvider<PaymentEventProviderActivities>(provider).isForeignPayment({
        ...{ provider, paymentId },
      });
      isOurs = !isForeign;
      return isForeign;
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a provider could not be asked whose payment it is', { provider, paymentId });
      return false;
    }
  };
}
