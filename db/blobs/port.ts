/** Stores bytes, such as avatars and documents. Rows and processes refer to them by name. */
export interface BlobStore {
  /** Stores the bytes and answers their name. Either all of them are stored, or it throws and none are. */
  put: (bytes: Uint8Array) => Promise<string>;
  /** The bytes, or null if there is no blob of this name. Throws for anything that cannot be a name. */
  get: (name: string) => Promise<Buffer | null>;
  /** Deletes a blob, if there is one of this name. Throws for anything that cannot be a name. */
  delete: (name: string) => Promise<void>;
}

/** 32 random bytes in hex: a name cannot be guessed, and its path cannot leave the folder. */
const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Throws for another shape of name: names come from our own rows, so it is a bug or an attack. */
export function assertBlobName(name: string): void {
  if (!BLOB_NAME.test(name)) throw new TypeError('This is not the name of a blob.');
}
