import { createHash, randomBytes } from 'node:crypto';

/** What a half-done sign-in goes on with. 256 random bits that say nothing: it opens nothing by itself. */
export function newTempToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfTempToken(token) };
}

/** What is kept of it. No other kind of token hashes to the same. */
export function hashOfTempToken(token: string): string {
  return createHash('sha256').update(`sign-in:${token}`).digest('hex');
}
