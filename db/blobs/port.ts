/** Bytes at rest: avatars, documents. Rows and processes carry only the name. */
export interface BlobStore {
  /** Keeps the bytes and answers the name they got. Either all of them are kept, or it throws and none are. */
  put: (bytes: Uint8Array) => Promise<string>;
  /** The bytes, or null where there are none of this name. Throws for what cannot be a name. */
  get: (name: string) => Promise<Buffer | null>;
  /** Not there: nothing. Throws for what cannot be a name. */
  delete: (name: string) => Promise<void>;
}

/** 32 random bytes in hex: nobody guesses one, and none leads out of its folder. */
const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Names come from our own rows, so another shape is a mistake or an attack, and never a missing blob. */
export function assertBlobName(name: string): void {
  if (!BLOB_NAME.test(name)) throw new TypeError('This is no name of a blob.');
}
