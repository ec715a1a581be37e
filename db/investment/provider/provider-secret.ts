import { randomBytes } from 'node:crypto';
import type { SecretPurpose } from '../../../workflows/investment/strategy/strategy.rules';
import type { KeyRing } from '../../sealing/key-ring';
import { sealPurposes } from '../../sealing/purposes';

const SECRET_BYTES = 32;

/** A new secret as the provider gets it: `whsec_` and base64 for reports, as Standard Webhooks has it; else base64url. */
export function newSecret(purpose: SecretPurpose): string {
  const bytes = randomBytes(SECRET_BYTES);
  return purpose === 'WEBHOOK' ? `whsec_${bytes.toString('base64')}` : bytes.toString('base64url');
}

/** A secret as it is stored in the row of this id. */
export const sealSecret = (keys: KeyRing, id: string, secret: string): Buffer =>
  keys.seal(Buffer.from(secret), sealPurposes.providerSecret(id));

/** The secret that `sealSecret` sealed. Throws Unsealable. */
export const openSecret = (keys: KeyRing, { id, secret }: { id: string; secret: Buffer }): string =>
  keys.open(secret, sealPurposes.providerSecret(id)).toString();
