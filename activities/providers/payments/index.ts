import type { Db } from '../../../db/sql';
import type { PaymentProvider } from './port';
import { sandboxProvider, type SandboxSettings } from './sandbox';
import { stripeProvider } from './stripe';
import type { StripeSettings } from './stripe-client';

/** The payment companies that this platform works with, by code. Stripe is one as soon as there is a key for it. */
export function paymentProviders(
  { sandbox, stripe }: { sandbox: SandboxSettings; stripe?: StripeSettings | undefined },
  db: Db,
): ReadonlyMap<string, PaymentProvider> {
  const providers = [sandboxProvider(sandbox, db), ...(stripe ? [stripeProvider(stripe)] : [])];
  return new Map(providers.map((provider) => [provider.code, provider]));
}
