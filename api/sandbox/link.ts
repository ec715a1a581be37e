import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { linkSignature } from '../../activities/providers/payments/sandbox/webhook';
import type { SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';

const Address = z.object({
  key: z.uuid(),
  amount: z.string().regex(/^\d{1,15}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  method: z.string().max(50),
  description: z.string().max(500),
  expires: z.iso.datetime(),
  signature: z.string().max(100),
});

/** The payment of an address, if its signature by one of these secrets is right; else null. */
export function readSandboxLink(key: unknown, query: object, secrets: readonly string[]): SandboxLink | null {
  const address = Address.safeParse({ ...query, key });
  if (!address.success) return null;
  const { amount, expires: expiresAt, signature, ...rest } = address.data;
  const link: SandboxLink = { ...rest, amountMinor: Number(amount), expiresAt };
  const offered = Buffer.from(signature, 'base64url');
  const isSigned = secrets.map((secret) => {
    const expected = linkSignature(link, secret);
    return offered.length === expected.length && timingSafeEqual(offered, expected);
  });
  return isSigned.includes(true) ? link : null;
}
