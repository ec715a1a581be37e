import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import type { PaymentOffer } from '../../../workflows/commerce/order/checkout.contract';
import type { PaymentProvider } from '../../providers/payments/port';

/** The providers of buyers' money, and our own bank account for transfers. */
export interface Payments {
  providers: ReadonlyMap<string, PaymentProvider>;
  /** The code of the provider that new attempts go to. */
  current: string;
  bank: { bankName: string; accountNumber: string; bik: string };
}

/** A provider by its code. Throws when rows name a provider that is no longer configured: a case for an operator. */
export function providerOf(payments: Payments, code: string): PaymentProvider {
  const provider = payments.providers.get(code);
  if (!provider) throw new Error(`The payment provider ${code} is not configured.`);
  return provider;
}

/**
 * The way to pay what is left of an order: a page, a bank account, or nothing when it is settled. Runs within the step that
 * placed the order, so a page that another company has to open is only named: see `openPage`.
 */
export async function paymentOffer(payments: Payments, placement: Placement): Promise<PaymentOffer> {
  const { method, attemptMinor: amountMinor, currency, expiresAt, orderNumber } = placement;
  const { attemptId: key, openedAt, paymentUrl } = placement;
  const offer = { method, amountMinor, currency, paymentUrl: null, bankDetails: null, expiresAt };
  if (method === 'BALANCE' || placement.status !== 'PENDING_PAYMENT') return offer;
  if (method === 'BANK_TRANSFER')
    return { ...offer, bankDetails: { ...payments.bank, purpose: orderNumber } };
  const provider = providerOf(payments, placement.provider);
  if (provider.opensByCall)
    return paymentUrl === null
      ? { ...offer, pageToOpen: { attemptId: key, provider: placement.provider } }
      : { ...offer, paymentUrl };
  const payment = { key, method, amountMinor, currency, openedAt, expiresAt, description: orderNumber };
  return { ...offer, paymentUrl: (await provider.openPayment(payment)).paymentUrl };
}
