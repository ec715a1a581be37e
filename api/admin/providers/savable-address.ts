import { lookup as systemLookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isPublicAddress } from '../../../db/investment/provider/public-address';
import { businessRefusal } from '../../../workflows/errors';
import { addressProblem, type AllowedAddresses } from '../../../workflows/investment/provider-address.rules';

/** Returns the IP addresses of a host. */
export type Lookup = (host: string) => Promise<readonly { address: string }[]>;

const LOOKUP_MS = 2_000;

const lookupAll: Lookup = (host) => systemLookup(host, { all: true });

/**
 * Refuses an address that providers may not have: ADDRESS_NOT_PUBLIC, with the name of the field. A host that cannot be
 * resolved now may be saved, since every connection checks what its own look-up answers.
 */
export async function requireSavableAddress(
  field: 'apiBase' | 'ssoUrl',
  address: string,
  allowed: AllowedAddresses,
  lookup: Lookup = lookupAll,
): Promise<void> {
  const problem = addressProblem(address, allowed);
  const isPrivate = problem === null && !allowed.isPrivateAllowed && (await leadsInside(address, lookup));
  if (problem === null && !isPrivate) return;
  throw businessRefusal('ADDRESS_NOT_PUBLIC', 'This address of a provider is not allowed.', {
    [field]: [problem ?? 'must lead to a public host'],
  });
}

interface Addresses {
  apiBase?: string | null | undefined;
  ssoUrl?: string | null | undefined;
}

/** The same of each address in a request about a provider; fields without one, or with that of `saved`, are passed over. */
export async function requireSavableAddresses(
  sent: Addresses,
  allowed: AllowedAddresses,
  saved: Addresses | null = null,
): Promise<void> {
  for (const field of ['apiBase', 'ssoUrl'] as const) {
    const address = sent[field];
    if (address && address !== saved?.[field]) await requireSavableAddress(field, address, allowed);
  }
}

async function leadsInside(address: string, lookup: Lookup): Promise<boolean> {
  const found = await Promise.race([
    lookup(new URL(address).hostname).catch(() => []),
    delay(LOOKUP_MS, [], { ref: false }),
  ]);
  return found.some(({ address: ip }) => !isPublicAddress(ip));
}
