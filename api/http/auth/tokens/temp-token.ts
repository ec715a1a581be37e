import { createHash, randomBytes } from 'node:crypto';

/** A new token that continues a sign-in at its second step: 256 random bits, useless without the code. */
export function newTempToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfTempToken(token) };
}

/** The stored hash, which differs from that of any other kind of token. */
export function hashOfTempToken(token: string): string {
  return createHash('sha256').update(`sign-in:${token}`).digest('hex');
}
