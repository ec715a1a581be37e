import type { Express } from 'express';
import { isIP } from 'node:net';
import { z } from 'zod';
import { addressIn } from '../client-address/client-address';

const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const MOST_HOPS = 8;

/**
 * The proxies whose `X-Forwarded-For` is trusted: their number in front of us, or their addresses and ranges. Trusting
 * any proxy is impossible, because callers could then invent addresses and escape every limit.
 */
export const TrustedProxies = z
  .string()
  .default('')
  .transform((text, ctx): false | number | string[] => {
    const parts = text.split(',').flatMap((part) => part.trim() || []);
    const [only] = parts;
    if (only === undefined || text === '0') return false;
    if (parts.length === 1 && /^[1-9]$/.test(only) && Number(only) <= MOST_HOPS) return Number(only);
    if (parts.every(isRange)) return parts;
    ctx.addIssue({
      code: 'custom',
      message: `must be a number of proxies (0 to ${MOST_HOPS}) or a list of addresses and ranges like 10.0.0.0/8`,
    });
    return z.NEVER;
  });

export type TrustedProxies = z.output<typeof TrustedProxies>;

/** Trusts these proxies also where they forward an address with its port, as some load balancers do. */
export function trustProxies(app: Express, proxies: TrustedProxies): void {
  app.set('trust proxy', proxies);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  app.set('trust proxy', (address: string, hop: number) => isTrusted(addressIn(address) ?? address, hop));
}

function isRange(part: string): boolean {
  if (NAMED_RANGES.has(part)) return true;
  const [address = '', prefix] = part.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  if (prefix === undefined) return part === address;
  const bits = version === 4 ? 32 : 128;
  return (
    part === `${address}/${prefix}` &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) >= 1 &&
    Number(prefix) <= bits
  );
}
