import { STRIPE_ATTEMPT } from '../../../../workflows/commerce/payment/stripe-event.rules';
import { ProviderRefusal, type OpenPayment } from '../port';
import type { StripeSettings } from './client';

const MINUTE_MS = 60_000;
const SHORTEST_MS = 30 * MINUTE_MS;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** How late after an attempt's beginning Stripe may be asked and still find that half an hour is left. */
const LEEWAY_MS = 5 * MINUTE_MS;

/**
 * When Stripe's page closes by itself, in seconds. Stripe takes from half an hour to a day, counted from when it is
 * asked; and asked again, it wants the same words. So this follows from the attempt alone, leaves room for a late try,
 * and ends a little after our own window, at whose end the page is closed anyway.
 */
export function pageClosesAt({ openedAt, expiresAt }: Pick<OpenPayment, 'openedAt' | 'expiresAt'>): number {
  const opened = Date.parse(openedAt);
  const closes = Math.max(Date.parse(expiresAt), opened + SHORTEST_MS) + LEEWAY_MS;
  return Math.floor(Math.min(closes, opened + LONGEST_MS) / 1_000);
}

/** Currencies that Stripe counts in other units than ISO 4217 does. */
const COUNTED_OTHERWISE = ['ISK', 'MGA', 'UGX'];

/**
 * What Stripe is asked to show.
 * Chosen: one page for CARD and EWALLET, since Stripe offers its wallets (Apple Pay, Google Pay) on the page for cards;
 * and no conversion of currencies, since what arrives must be what was asked for.
 */
export function sessionFor(payment: OpenPayment, { successUrl, cancelUrl }: StripeSettings) {
  const { key, currency, amountMinor, description } = payment;
  if (COUNTED_OTHERWISE.includes(currency))
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
          product_data: { name: `Order ${description}` },
        },
      },
    ],
    adaptive_pricing: { enabled: false },
    expires_at: pageClosesAt(payment),
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}
