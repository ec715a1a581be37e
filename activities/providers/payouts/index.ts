import type { Db } from '../../../db/sql/query';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { StripeSettings } from '../payments/stripe/client';
import { bankFilePayouts } from './bank-file-payouts';
import type { PayoutProvider } from './port';
import { sandboxPayouts } from './sandbox-payouts';
import { stripePayouts } from './stripe-payouts';

/** The providers that send money out, and the one that sends what is paid out from now on. */
export interface Payouts {
  providers: ReadonlyMap<string, PayoutProvider>;
  /** Its code; `bank`: a person sends the money. */
  current: string;
  /** The codes of those that are gone for good: what they were asked for is settled by the word of a person. */
  retired?: ReadonlySet<string>;
}

interface PayoutsConfig {
  PAYMENT_PROVIDER: string;
  PAYOUT_PROVIDER?: string | undefined;
  PAYOUT_PROVIDERS_RETIRED?: readonly string[];
}

/**
 * The payout providers; Stripe only when there is a key for it. Unless PAYOUT_PROVIDER says otherwise, the sandbox sends money
 * out where it takes payments, and elsewhere a person does. Throws for one that is not configured, or does not exist, and for a
 * retired one that is configured.
 */
export function payoutProviders(
  { PAYMENT_PROVIDER, PAYOUT_PROVIDER, PAYOUT_PROVIDERS_RETIRED = [] }: PayoutsConfig,
  db: Db,
  stripe?: Pick<StripeSettings, 'secretKey' | 'apiBase'>,
): Payouts {
  const sandbox = sandboxPayouts(db);
  const all = [sandbox, bankFilePayouts(db), ...(stripe ? [stripePayouts(stripe)] : [])];
  const providers = new Map(all.map((provider) => [provider.code, provider]));
  const current = PAYOUT_PROVIDER ?? (PAYMENT_PROVIDER === sandbox.code ? sandbox.code : BY_HAND);
  if (current !== BY_HAND && !providers.has(current))
    throw new Error(
      `PAYOUT_PROVIDER names ${current}, which sends no money out: set it to bank, bank-file, or stripe with its STRIPE_SECRET_KEY.`,
    );
  for (const code of PAYOUT_PROVIDERS_RETIRED)
    if (code === BY_HAND || providers.has(code))
      throw new Error(
        `PAYOUT_PROVIDERS_RETIRED names ${code}, which is set up here and can say what it has sent: leave it out.`,
      );
  return { providers, current, retired: new Set(PAYOUT_PROVIDERS_RETIRED) };
}

/** The code of the sender of money to this kind of destination: the current provider if it pays to it, else a person. */
export const senderOf = (
  { providers, current }: Pick<Payouts, 'providers' | 'current'>,
  method: Destination['method'],
): string => (providers.get(current)?.methods.includes(method) === true ? current : BY_HAND);
