import { ProviderRefusal, type PaymentProvider } from '../port';

/** The code of our own bank account, where transfers arrive; a person sends from there what goes back. */
export const BANK = 'bank';

/** Our own bank account as a provider: it has no page, reports nothing, and sends nothing by itself. */
export function bankProvider(): PaymentProvider {
  return {
    code: BANK,
    opensWithinMs: null,
    openPayment: () => Promise.reject(new ProviderRefusal('A transfer to our account needs no page.')),
    closePayment: () => Promise.resolve(),
    lookUpPayment: () => Promise.resolve([]),
    refund: () => Promise.resolve({ status: 'manual' }),
    lookUpRefund: () => Promise.resolve(null),
  };
}
