import { ProviderRefusal, type OpenPayment } from '../port';
import { MINUTE_MS } from '../../../../workflows/kit/values/durations.rules';
import type { StripeSettings } from './client';
import { hasOurUnits } from './currencies';
import { STRIPE_ATTEMPT } from './message';

const SHORTEST_MS = 30 * MINUTE_MS;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** The latest time after an attempt's start at which Stripe can be called and half an hour is still left. */
const LEEWAY_MS = 5 * MINUTE_MS;

/** The time in which a page can be opened: the leeway, less the time that a call takes. */
export const PAGE_OPENS_WITHIN_MS = LEEWAY_MS - MINUTE_MS / 2;

/**
 * The time at which Stripe's page closes by itself, in seconds since 1970. Stripe accepts half an hour to a day after the
 * call, and the same value for every repeat. So this depends only on the attempt, leaves room for a late try, and is a
 * little after our own window, at whose end we close the page anyway.
 */
export function pageClosesAt({ openedAt, expiresAt }: Pick<OpenPayment, 'openedAt' | 'expiresAt'>): number {
  const opened = Date.parse(openedAt);
  const closes = Math.max(Date.parse(expiresAt), opened + SHORTEST_MS) + LEEWAY_MS;
  return Math.floor(Math.min(closes, opened + LONGEST_MS) / 1_000);
}

/**
 * The Checkout Session of a payment.
 * Chosen: one page for CARD and EWALLET, since Stripe offers its wallets (Apple Pay, Google Pay) on the page for cards;
 * and no conversion of currencies, since the amount that arrives must be the amount due.
 */
export function sessionFor(payment: OpenPayment, { successUrl, cancelUrl }: StripeSettings) {
  const { key, currency, amountMinor, description } = payment;
  if (!hasOurUnits(currency))
    throw new ProviderRefusal(`Payments in ${currency} are not taken through Stripe.`);
  const metadata = { [STRIPE_ATTEMPT]: key };
  return {
    mode: 'payment' as const,
    payment_method_types: ['card' as const],
    client_reference_id: key,
    metadata,
    payment_intent_data: { description, metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: amountMinor,
          product_data: { name: description },
        },
      },
    ],
    adaptive_pricing: { enabled: false },
    expires_at: pageClosesAt(payment),
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}
