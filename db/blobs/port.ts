import { randomBytes } from 'node:crypto';

/** Stores bytes, such as avatars and documents. Rows and processes refer to them by name. */
export interface BlobStore {
  /** Stores the bytes under a new name. Either all of them are stored, or it throws and none are. */
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** The bytes, or null if there is no blob of this name. Throws for anything that cannot be a name. */
  get: (name: string) => Promise<Buffer | null>;
  /**
   * Deletes a blob, or what a `put` that was broken off left of it, if there is one of this name. Throws for anything that
   * cannot be a name.
   */
  delete: (name: string) => Promise<void>;
  /** The names of one shelf, in any order. A blob that is stored or deleted meanwhile may be in it or not. */
  list: (shelf: string) => Promise<StoredNames>;
  /** The time at which the bytes of a blob, whole or not, were written; null if there is none of this name. */
  storedAt: (name: string) => Promise<Date | null>;
}

/** The names on a shelf. */
export interface StoredNames {
  whole: string[];
  /** Left by a `put` that was broken off, or is still running. */
  unfinished: string[];
}

/** The shelves of every store, about equally full: a shelf has the blobs whose names begin with it. */
export const SHELVES: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, '0'),
);

export const shelfOf = (name: string): string => name.slice(0, 2);

/** A name for a new blob: it cannot be guessed, and no other has it. */
export const newBlobName = (): string => randomBytes(32).toString('hex');

export const isBlobName = (name: string): boolean => BLOB_NAME.test(name);

/** 32 random bytes in hex: a name cannot be guessed, and its path cannot leave the folder. */
const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Throws for another shape of name: names come from our own rows, so it is a bug or an attack. */
export function assertBlobName(name: string): void {
  if (!isBlobName(name)) throw new TypeError('This is not the name of a blob.');
}
