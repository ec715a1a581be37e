import { createHash, randomBytes } from 'node:crypto';

/** A new refresh token: 256 random bits cannot be guessed, so a plain hash is safe to store. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfRefreshToken(token) };
}

/** The stored hash of a refresh token. A reader of the database cannot present it. */
export function hashOfRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
