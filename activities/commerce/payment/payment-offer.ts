import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import {
  goesThroughProvider,
  type PaymentAttempt,
  type PaymentMeans,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { businessRefusal } from '../../../workflows/errors';
import type { PaymentProvider } from '../../providers/payments/port';

/** The providers of buyers' money, and our own bank account for transfers. */
export interface Payments {
  providers: ReadonlyMap<string, PaymentProvider>;
  /** The code of the provider that new attempts go to. */
  current: string;
  bank: { bankName: string; accountNumber: string; bik: string };
  /** The holder of that account, whom mails name; the contract of the API has no field for it. */
  accountHolder: string;
  /** The codes of providers that are gone for good: what they were asked to send back is settled by the word of a person. */
  retired?: ReadonlySet<string>;
}

/** A provider by its code. Throws when rows name a provider that is no longer configured: a case for an operator. */
export function providerOf(payments: Payments, code: string): PaymentProvider {
  const provider = payments.providers.get(code);
  if (!provider) throw new Error(`The payment provider ${code} is not configured.`);
  return provider;
}

/**
 * True if an attempt is open and by this method, and it has a page or can still have one. One whose page was not opened in
 * time never gets one, so the next request replaces it.
 */
export function isStillOffered(
  payments: Payments,
  { status, method, expiresAt, openedAt, paymentUrl, provider: code }: PaymentAttempt,
  asked: { method: PaymentMethod; at: string },
): boolean {
  if (status !== 'PENDING' || method !== asked.method || expiresAt <= asked.at) return false;
  if (!goesThroughProvider({ method }) || paymentUrl !== null) return true;
  const { opensWithinMs } = providerOf(payments, code);
  return opensWithinMs === null || Date.parse(asked.at) - Date.parse(openedAt) < opensWithinMs;
}

/** An attempt to pay, as its page shows it. */
export type OfferedAttempt = Pick<
  Placement,
  'attemptId' | 'method' | 'provider' | 'attemptMinor' | 'currency' | 'openedAt' | 'expiresAt'
> & {
  /** The number of what is paid for: the purpose of a transfer, and what a page names. */
  number: string;
};

/**
 * The page or the account by which an attempt is paid. Runs within the step that opens the attempt, so a page that another
 * company has to open is left out: see `openPage`. Refused: VALIDATION_ERROR (AMOUNT_NOT_PAYABLE).
 */
export async function meansToPay(payments: Payments, attempt: OfferedAttempt): Promise<PaymentMeans> {
  const { method, provider: code, attemptId: key, attemptMinor: amountMinor, number } = attempt;
  const none = { paymentUrl: null, bankDetails: null };
  if (method === 'BALANCE' || amountMinor === 0) return none;
  if (method === 'BANK_TRANSFER') return { ...none, bankDetails: { ...payments.bank, purpose: number } };
  const provider = providerOf(payments, code);
  const { currency, openedAt, expiresAt } = attempt;
  requirePayable(provider, { method, amountMinor, currency });
  if (provider.opensWithinMs !== null) return none;
  const payment = { key, method, amountMinor, currency, openedAt, expiresAt, description: number };
  return { ...none, paymentUrl: (await provider.openPayment(payment)).paymentUrl };
}

/** Refuses an amount that the provider certainly does not take, and names the method. */
function requirePayable(
  { amounts }: PaymentProvider,
  { method, amountMinor, currency }: Pick<OfferedAttempt, 'method' | 'currency'> & { amountMinor: number },
): void {
  if (!amounts) return;
  const { leastMinor, mostMinor } = amounts(currency);
  if (amountMinor >= leastMinor && amountMinor <= mostMinor) return;
  const [least, most] = [amountInWords(leastMinor, currency), amountInWords(mostMinor, currency)];
  throw businessRefusal('AMOUNT_NOT_PAYABLE', `${method} takes from ${least} to ${most}.`, {
    paymentMethod: [`takes from ${least} to ${most}`],
  });
}

/** The way to pay what is left of an order: a page, a bank account, or nothing when it is settled. */
export function paymentOffer(placement: Placement): PaymentOffer {
  const { method, attemptMinor: amountMinor, currency, expiresAt, status } = placement;
  const offer = { method, amountMinor, currency, paymentUrl: null, bankDetails: null, expiresAt };
  if (method === 'BALANCE' || status !== 'PENDING_PAYMENT') return offer;
  const { paymentUrl, bankDetails, attemptId, provider } = placement;
  if (paymentUrl !== null || bankDetails !== null) return { ...offer, paymentUrl, bankDetails };
  return { ...offer, pageToOpen: { attemptId, provider } };
}
