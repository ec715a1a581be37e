import { createHash, randomBytes } from 'node:crypto';
import { base32, inGroups } from '../../http/auth/base32';

const COUNT = 10;
/**
 * Chosen: 120 bits. ASVS 6.5.2 wants a password hash for codes of fewer than 112 bits; with more there is nothing to
 * guess, so that a plain hash is safe, and a code can be looked up and used by one statement.
 */
const BYTES = 15;

/** Ten codes to be shown once, each good for one sign-in without the second factor. */
export function newBackupCodes(): string[] {
  return Array.from({ length: COUNT }, () => inGroups(base32(randomBytes(BYTES)), 6, '-'));
}

/** What is kept of a code. However it was typed, in small letters or without hyphens, it is the same code. */
export function hashOfBackupCode(code: string): string {
  const typed = code.toUpperCase().replace(/[^A-Z2-7]/g, '');
  return createHash('sha256').update(typed).digest('hex');
}
