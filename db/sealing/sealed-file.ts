import { createHash, randomBytes } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES, Unsealable } from './cipher';
import type { KeyRing } from './key-ring';

const VERSION = Buffer.from([1]);

/** The secret of a row that opens its files and recognises them without reading them; the ring seals it. */
export interface FileSecret {
  /** Seals the files of one row. */
  dataKey: Buffer;
  /** The SHA-256 of a file as it was sent. */
  digest: Buffer;
}

/** A secret with a random key for the files that were made of `sent`. */
export const newFileSecret = (sent: Uint8Array): FileSecret => ({
  dataKey: randomBytes(KEY_BYTES),
  digest: createHash('sha256').update(sent).digest(),
});

/** The ring wraps the key and not the file, so that a change of the master key seals a few bytes again and no file. */
export const sealFileSecret = (keys: KeyRing, { dataKey, digest }: FileSecret, purpose: string): Buffer =>
  keys.seal(Buffer.concat([dataKey, digest]), purpose);

/** The secret that `sealFileSecret` sealed. Throws Unsealable. */
export function openFileSecret(keys: KeyRing, sealed: Buffer, purpose: string): FileSecret {
  const secret = keys.open(sealed, purpose);
  return { dataKey: secret.subarray(0, KEY_BYTES), digest: secret.subarray(KEY_BYTES) };
}

/** Seals a file by its own key. It opens only for the same `binding`, such as the names of file and owner. */
export const sealFile = (dataKey: Buffer, bytes: Uint8Array, binding: string): Buffer =>
  Buffer.concat([VERSION, encrypt(dataKey, bytes, boundTo(binding))]);

/** The bytes that `sealFile` sealed. Throws Unsealable if a byte was changed or is missing, or for another file. */
export function openFile(dataKey: Buffer, sealed: Buffer, binding: string): Buffer {
  if (!sealed.subarray(0, 1).equals(VERSION)) throw new Unsealable('This is no sealed file.');
  return decrypt(dataKey, sealed.subarray(1), boundTo(binding));
}

const boundTo = (binding: string): Buffer => Buffer.concat([VERSION, Buffer.from(binding)]);
