import { createHash, randomBytes } from 'node:crypto';
import { base32, inGroups } from '../../http/auth/base32';

const COUNT = 10;
/**
 * Chosen: 120 bits. ASVS 6.5.2 requires a password hash for codes of fewer than 112 bits; longer ones cannot be guessed,
 * so a plain hash is safe, and one statement can look a code up and use it.
 */
const BYTES = 15;

/** Ten codes to show once, each good for one sign-in without the second factor. */
export function newBackupCodes(): string[] {
  return Array.from({ length: COUNT }, () => inGroups(base32(randomBytes(BYTES)), 6, '-'));
}

/** The stored hash of a code. Case and hyphens do not matter. */
export function hashOfBackupCode(code: string): string {
  const typed = code.toUpperCase().replace(/[^A-Z2-7]/g, '');
  return createHash('sha256').update(typed).digest('hex');
}
