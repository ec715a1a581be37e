import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { sandboxLinkText, type SandboxLink } from '../../workflows/commerce/sandbox/sandbox-link.rules';
import { secretKey } from '../payments/webhooks/signature';

const Address = z.object({
  key: z.uuid(),
  amount: z.string().regex(/^\d{1,15}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  method: z.string().max(50),
  description: z.string().max(500),
  expires: z.iso.datetime(),
  signature: z.string().max(100),
});

/** The payment that an address speaks of, if one of these secrets vouches for every part of it; else null. */
export function readSandboxLink(key: unknown, query: object, secrets: readonly string[]): SandboxLink | null {
  const address = Address.safeParse({ ...query, key });
  if (!address.success) return null;
  const { amount, expires: expiresAt, signature, ...rest } = address.data;
  const link: SandboxLink = { ...rest, amountMinor: Number(amount), expiresAt };
  const offered = Buffer.from(signature, 'base64url');
  const vouched = secrets.map((secret) => {
    const expected = createHmac('sha256', secretKey(secret)).update(sandboxLinkText(link)).digest();
    return offered.length === expected.length && timingSafeEqual(offered, expected);
  });
  return vouched.includes(true) ? link : null;
}
