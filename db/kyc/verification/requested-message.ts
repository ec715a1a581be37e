import type { KeyRing } from '../../sealing/key-ring';
import { sealPurposes } from '../../sealing/purposes';
import type { Verification } from './verification.reads';

/** A reviewer's request for more, as it is stored. */
export const sealRequestedMessage = (keys: KeyRing, kycId: string, message: string): Buffer =>
  keys.seal(Buffer.from(message), sealPurposes.kycRequestedMessage(kycId));

/** The request that `sealRequestedMessage` sealed; null without one. Throws Unsealable. */
export const openRequestedMessage = (
  keys: KeyRing,
  { id, requestedMessage }: Pick<Verification, 'id' | 'requestedMessage'>,
): string | null =>
  requestedMessage && keys.open(requestedMessage, sealPurposes.kycRequestedMessage(id)).toString();
