import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: nothing to guess, so a plain hash of it is safe to keep. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfRefreshToken(token) };
}

/** What is kept of a refresh token; whoever reads the database cannot present it. */
export function hashOfRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
