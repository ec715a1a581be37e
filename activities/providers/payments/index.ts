import type { Db } from '../../../db/sql/query';
import { bankProvider } from './bank/bank';
import type { PaymentProvider } from './port';
import { sandboxProvider, type SandboxSettings } from './sandbox/sandbox';
import { stripeProvider } from './stripe/stripe';
import type { StripeSettings } from './stripe/client';

/** The providers of buyers' money, by code; Stripe only when there is a key for it. */
export function paymentProviders(
  { sandbox, stripe }: { sandbox: SandboxSettings; stripe?: StripeSettings | undefined },
  db: Db,
): ReadonlyMap<string, PaymentProvider> {
  const providers = [
    bankProvider(),
    sandboxProvider(sandbox, db),
    ...(stripe ? [stripeProvider(stripe)] : []),
  ];
  return new Map(providers.map((provider) => [provider.code, provider]));
}
