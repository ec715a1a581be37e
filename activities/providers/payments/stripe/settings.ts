import type { ProvidersConfig } from '../../config';
import type { StripeSettings } from './client';

/** Stripe's settings; undefined without a key. Throws when Stripe is to take payments and there is no key. */
export function stripeSettings(config: ProvidersConfig): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, PUBLIC_URL, STRIPE_SUCCESS_URL, STRIPE_CANCEL_URL } = config;
  if (secretKey === undefined) {
    if (config.PAYMENT_PROVIDER === 'stripe')
      throw new Error('PAYMENT_PROVIDER is stripe, so STRIPE_SECRET_KEY must be set.');
    return undefined;
  }
  const home = `${PUBLIC_URL}/api/docs/`;
  return {
    secretKey,
    apiBase: config.STRIPE_API_BASE,
    successUrl: STRIPE_SUCCESS_URL ?? home,
    cancelUrl: STRIPE_CANCEL_URL ?? home,
  };
}
