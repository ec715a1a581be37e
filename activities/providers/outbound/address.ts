import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../../db/investment/provider/public-address';
import { addressProblem, type AllowedAddresses } from '../../../workflows/investment/provider-address.rules';

/** The address may not be called. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * The address, if its text allows a call. Hosts that are IP addresses are refused here, because they are never looked up;
 * the URL parser has read their octal, hexadecimal and short forms as the network would. Throws AddressRefused.
 */
export function callable(address: string, allowed: AllowedAddresses): URL {
  const problem = addressProblem(address, allowed);
  if (problem !== null) throw new AddressRefused(`The address ${problem}.`);
  return new URL(address);
}

/**
 * A look-up for connections: returns the addresses of a host only if all of them are public. Every connection is made to
 * what its own look-up answered, so a name that changes its meaning after a check gains nothing.
 */
export const publicLookup =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [] : found;
      const [first] = addresses;
      if (error) answer(error, []);
      else if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        answer(new AddressRefused('The address leads to a host that is not public.'), []);
      else if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
