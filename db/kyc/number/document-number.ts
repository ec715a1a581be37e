import type { KeyRing, Mac } from '../../sealing/key-ring';
import { sealPurposes } from '../../sealing/purposes';

/**
 * The keyed code by which the same document is recognised under another account, however its number is spaced and
 * capitalised. Nationality and type are not part of it: the applicant chooses them, and the same document stated as
 * another type would not be recognised. Two countries that gave one number are told apart by the reviewer.
 */
export const documentNumberCode = (keys: KeyRing, documentNumber: string): Mac =>
  keys.mac(Buffer.from(documentNumber.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')), 'kyc-document-number');

/** A submitted number as it is stored in the row of this id. */
export const sealNumber = (keys: KeyRing, id: string, documentNumber: string): Buffer =>
  keys.seal(Buffer.from(documentNumber), sealPurposes.documentNumber(id));

/** The number that `sealNumber` sealed. Throws Unsealable. */
export const openNumber = (keys: KeyRing, id: string, sealed: Buffer): string =>
  keys.open(sealed, sealPurposes.documentNumber(id)).toString();
