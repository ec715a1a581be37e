import { ProviderRefusal, type PaymentProvider } from '../port';

/** The provider of money that came by transfer to our own account: what goes back, a person sends from there. */
export const BANK = 'bank';

/** Our own bank account. It has no page to pay on, reports nothing, and is not asked to send anything. */
export function bankProvider(): PaymentProvider {
  return {
    code: BANK,
    opensByCall: false,
    openPayment: () => Promise.reject(new ProviderRefusal('A transfer to our account needs no page.')),
    closePayment: () => Promise.resolve(),
    lookUpPayment: () => Promise.resolve([]),
    refund: () => Promise.resolve({ status: 'manual' }),
    lookUpRefund: () => Promise.resolve(null),
  };
}
