import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { assertBlobName, isBlobName, shelfOf, SHELVES, type BlobStore } from './port';

/** Writes all bytes into an open file. Tests replace it by a disk that is full. */
export type WriteAll = (file: FileHandle, bytes: Uint8Array) => Promise<void>;

const writeAll: WriteAll = (file, bytes) => file.writeFile(bytes);

/** The end of the name of a file whose bytes are not all on the disk. */
const UNFINISHED = '.unfinished';

/** Blobs as files that only this account may read. A file gets its name once its bytes are on the disk. */
export function diskBlobs(folder: string, write: WriteAll = writeAll): BlobStore {
  return {
    async put(name, bytes) {
      assertBlobName(name);
      const place = placeOf(folder, name);
      const unfinished = place + UNFINISHED;
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      try {
        await writeThrough(unfinished, (file) => write(file, bytes));
        await rename(unfinished, place);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(path.dirname(place));
    },

    async get(name) {
      assertBlobName(name);
      return unlessMissing(readFile(placeOf(folder, name)));
    },

    async delete(name) {
      assertBlobName(name);
      await rm(placeOf(folder, name), { force: true });
      await rm(placeOf(folder, name) + UNFINISHED, { force: true });
    },

    async list(shelf) {
      if (!SHELVES.includes(shelf)) throw new TypeError('This is not the name of a shelf.');
      const files = (await unlessMissing(readdir(path.join(folder, shelf)))) ?? [];
      const unfinished = files
        .filter((file) => file.endsWith(UNFINISHED))
        .map((file) => file.slice(0, -UNFINISHED.length));
      return { whole: files.filter(isBlobName), unfinished: unfinished.filter(isBlobName) };
    },

    async storedAt(name) {
      assertBlobName(name);
      const place = placeOf(folder, name);
      const file = (await unlessMissing(stat(place))) ?? (await unlessMissing(stat(place + UNFINISHED)));
      return file && file.mtime;
    },
  };
}

/** Null if there is no such file or folder. */
async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

/** A folder for each shelf keeps each folder small. */
const placeOf = (folder: string, name: string): string => path.join(folder, shelfOf(name), name);

async function writeThrough(place: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(place, 'wx', 0o600);
  try {
    await fill(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename survives a power failure only once its folder is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
