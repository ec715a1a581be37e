import { constants, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../failure';
import type { ProcessIdentity } from '../processes/identity';
import { PARTS, type StoredFile } from './manifest';
import { whilePaused } from './paused';
import { storeFile } from './stored-file';

/** Below the API's deadline for Temporal, 8 s: nobody who waits meanwhile is refused. */
const PAUSED_AT_MOST_MS = 6_000;

interface TemporalStore {
  /** The file of its database; next to it is the log (`-wal`), and an index of that (`-shm`), which is made anew. */
  file: string;
  /** The server, while it runs. */
  server: ProcessIdentity | undefined;
  /** For the copy that is made while the server is paused: on the same disk, where copying is quickest. */
  stagingDir: string;
}

/**
 * Copies the database of Temporal's development server while the server stands still. SQLite's own means would need a
 * library with a binary of its own; what it finds after a crash at any moment it recovers from, and this copy is that.
 * `atThatMoment` runs before the server goes on.
 */
export async function stageTemporal(
  { file, server, stagingDir }: TemporalStore,
  atThatMoment: () => Promise<void>,
): Promise<{ pausedMs: number }> {
  await rm(stagingDir, { recursive: true, force: true });
  await mkdir(stagingDir, { mode: 0o700 });
  const copy = async () => {
    for (const part of [file, `${file}-wal`])
      await copyFile(part, path.join(stagingDir, path.basename(part)), constants.COPYFILE_FICLONE).catch(
        (error: unknown) => {
          // Without a log everything is in the database itself.
          if (part === file || codeOf(error) !== 'ENOENT') throw error;
        },
      );
    await atThatMoment();
  };
  if (server === undefined) {
    await copy();
    return { pausedMs: 0 };
  }
  const startedAt = performance.now();
  await whilePaused(server, () => inTime(copy()));
  return { pausedMs: performance.now() - startedAt };
}

async function inTime(work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const tooLate = delay(PAUSED_AT_MOST_MS, undefined, { signal: over.signal }).then(
    () => {
      throw new Error(
        `Temporal's database is not copied within ${PAUSED_AT_MOST_MS / 1_000} s, for which it may be paused: ` +
          'stop the platform, back it up, and start it again.',
      );
    },
    () => undefined,
  );
  work.catch(() => undefined);
  try {
    await Promise.race([work, tooLate]);
  } finally {
    over.abort();
  }
}

/** Stores the staged copy and removes it. */
export async function storeTemporal(
  { stagingDir }: Pick<TemporalStore, 'stagingDir'>,
  folder: string,
  signal: AbortSignal,
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const name of await readdir(stagingDir)) {
    const source = createReadStream(path.join(stagingDir, name));
    stored.push(await storeFile(folder, `${PARTS.temporalDir}/${name}.gz`, source, signal));
  }
  await rm(stagingDir, { recursive: true, force: true });
  return stored;
}
