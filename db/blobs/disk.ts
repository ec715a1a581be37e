import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { assertBlobName, type BlobStore } from './port';

/** Writes all bytes into an open file. Tests replace it by a disk that is full. */
export type WriteAll = (file: FileHandle, bytes: Uint8Array) => Promise<void>;

const writeAll: WriteAll = (file, bytes) => file.writeFile(bytes);

/** Blobs as files that only this account may read. A file gets its name once its bytes are on the disk. */
export function diskBlobs(folder: string, write: WriteAll = writeAll): BlobStore {
  return {
    async put(bytes) {
      const name = randomBytes(32).toString('hex');
      const place = placeOf(folder, name);
      const unfinished = `${place}.unfinished`;
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      try {
        await writeThrough(unfinished, (file) => write(file, bytes));
        await rename(unfinished, place);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(path.dirname(place));
      return name;
    },

    async get(name) {
      assertBlobName(name);
      try {
        return await readFile(placeOf(folder, name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async delete(name) {
      assertBlobName(name);
      await rm(placeOf(folder, name), { force: true });
    },
  };
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

/** One level of folders keeps each folder small. */
const placeOf = (folder: string, name: string): string => path.join(folder, name.slice(0, 2), name);

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
