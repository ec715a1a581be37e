import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Sealed bytes were changed, belong to something else, or their key is not on the ring. */
export class Unsealable extends Error {}

/** AES-256-GCM: a random nonce, the bytes, the tag. They open only with the same key and the same `bound` bytes. */
export function encrypt(key: Buffer, plain: Uint8Array, bound: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws Unsealable. */
export function decrypt(key: Buffer, bytes: Buffer, bound: Buffer): Buffer {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Unsealable('These are no sealed bytes.');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(bound)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new Unsealable('The sealed bytes were changed, or belong to something else.', { cause: error });
  }
}
