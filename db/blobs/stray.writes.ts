import type { Db } from '../sql/query';
import { DAY_MS } from '../../workflows/kit/values/durations.rules';
import { blobsWithoutRow } from './blob-rows.reads';
import { SHELVES, type BlobStore } from './port';

/** The age at which a blob must have a row. A new one is listed before it exists, so this only adds to the safety. */
export const STRAY_AFTER_MS = DAY_MS;
/** Names of one statement. */
const NAMES_PER_LOOK = 500;
/**
 * The most blobs deleted in one run; the next run continues. It is few, because a store with the wrong database has
 * nothing but strays: an operator has days to see it.
 */
const RUN_BLOBS = 500;

/** The blobs of this shelf that were stored before `before` and that no row has. */
export async function strayBlobs(
  db: Db,
  blobs: Pick<BlobStore, 'list' | 'storedAt'>,
  shelf: string,
  before: Date,
): Promise<string[]> {
  const { whole, unfinished } = await blobs.list(shelf);
  const names = [...new Set([...whole, ...unfinished])];
  const stray: string[] = [];
  for (let from = 0; from < names.length; from += NAMES_PER_LOOK)
    for (const name of await blobsWithoutRow(db, names.slice(from, from + NAMES_PER_LOOK))) {
      const storedAt = await blobs.storedAt(name);
      if (storedAt && storedAt < before) stray.push(name);
    }
  return stray;
}

/**
 * Deletes blobs that no row has and that are a day old at `at`, up to a limit; returns how many. There are such blobs
 * after a database was restored. It deletes none while the schema is that of a newer release. It may be interrupted and
 * repeated. One that cannot be deleted keeps no other; it throws at the end.
 */
export async function removeStrayBlobs(
  db: Db,
  blobs: BlobStore,
  at: Date,
  { signal, most = RUN_BLOBS }: { signal?: AbortSignal; most?: number } = {},
): Promise<number> {
  const before = new Date(at.getTime() - STRAY_AFTER_MS);
  let removed = 0;
  const failures: unknown[] = [];
  for (const shelf of SHELVES) {
    for (const name of await strayBlobs(db, blobs, shelf, before)) {
      signal?.throwIfAborted();
      if (removed === most) return removedWithout(failures, removed);
      // Another look, since a restore may be running.
      if ((await blobsWithoutRow(db, [name])).length === 0) continue;
      try {
        await blobs.delete(name);
        removed += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    signal?.throwIfAborted();
  }
  return removedWithout(failures, removed);
}

function removedWithout(failures: readonly unknown[], removed: number): number {
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} stray blobs cannot be deleted.`);
  return removed;
}
