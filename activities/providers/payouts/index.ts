import type { Db } from '../../../db/sql/query';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { ProvidersConfig } from '../config';
import { byCode, type Driver } from '../driver';
import { drivers } from '../drivers';
import { retiredProviders } from '../retired';
import type { PayoutProvider } from './port';

/** The providers that send money out, and the one that sends what is paid out from now on. */
export interface Payouts {
  providers: ReadonlyMap<string, PayoutProvider>;
  /** Its code; `bank`: a person sends the money. */
  current: string;
  /** The codes of those that are gone for good: what was requested from them is settled by the word of a person. */
  retired?: ReadonlySet<string>;
}

/**
 * The payout providers; of those that need a key, the ones that have it. Unless PAYOUT_PROVIDER says otherwise, the sandbox
 * sends money out where it takes payments, and elsewhere a person does. Throws for one that is not configured, or does not
 * exist, and for a retired one that is configured.
 */
export function payoutProviders(
  config: ProvidersConfig,
  db: Db,
  all: readonly Driver<ProvidersConfig>[] = drivers,
): Payouts {
  const { PAYMENT_PROVIDER, PAYOUT_PROVIDER, PROVIDERS_RETIRED } = config;
  const providers = byCode(all.map(({ payouts }) => payouts?.(config, db)));
  const current = PAYOUT_PROVIDER ?? (PAYMENT_PROVIDER === 'sandbox' ? PAYMENT_PROVIDER : BY_HAND);
  if (current !== BY_HAND && !providers.has(current))
    throw new Error(
      `PAYOUT_PROVIDER names ${current}, which sends no money out: set it to bank, bank-file, or stripe with its STRIPE_SECRET_KEY.`,
    );
  return { providers, current, retired: retiredProviders(PROVIDERS_RETIRED, providers) };
}

/** The code of the sender of money to this kind of destination: the current provider if it pays to it, else a person. */
export const senderOf = (
  { providers, current }: Pick<Payouts, 'providers' | 'current'>,
  method: Destination['method'],
): string => (providers.get(current)?.methods.includes(method) === true ? current : BY_HAND);
