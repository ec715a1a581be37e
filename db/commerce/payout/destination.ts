import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import type { KeyRing } from '../../sealing/key-ring';

/** Seals the destination of money; `purpose` names its row. */
export const sealDestination = (keys: KeyRing, purpose: string, destination: Destination): Buffer =>
  keys.seal(Buffer.from(JSON.stringify(destination)), purpose);

/** Opens a destination that was sealed for the same purpose. Throws Unsealable. */
export const openDestination = (keys: KeyRing, purpose: string, sealed: Buffer): Destination =>
  JSON.parse(keys.open(sealed, purpose).toString()) as Destination;
