import { refusal } from '../errors';
import type { KycLevel } from './kyc.rules';

/** Refuses with KYC_REQUIRED while a level is missing; the message says how to get it. */
export function requireLevel(missing: KycLevel | null): void {
  if (missing === null) return;
  if (missing === 'BASIC')
    throw refusal('KYC_REQUIRED', 'Verify your email address first, or order for less.');
  throw refusal('KYC_REQUIRED', `Verify your identity for level ${missing} first.`);
}
