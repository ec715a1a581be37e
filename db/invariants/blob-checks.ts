import { rowsOfBlobs, rowsOfShelf } from '../blobs/blob-rows.reads';
import { SHELVES, type BlobStore } from '../blobs/port';
import { STRAY_AFTER_MS, strayBlobs } from '../blobs/stray.writes';
import type { Db } from '../sql/query';
import { HOUR_MS } from '../../workflows/kit/values/durations.rules';
import type { Broken } from './invariant';

/** The invariants between stored blobs and their rows, by id. */
export const blobInvariants = {
  'blobs.of-rows-are-stored': 'The file of every document and of every picture is stored.',
  'blobs.have-rows': 'Every file that is older than two days belongs to a row, or is listed to be deleted.',
} as const;

/** Retention deletes daily what is a day old. */
const STRAY_PATIENCE_MS = 2 * STRAY_AFTER_MS;
/** The time for one check. One that does not finish within it continues at another shelf the next time. */
const CHECK_MS = 5 * 60_000;
/** The most offences that are listed of one invariant. */
const MOST_ROWS = 50;
/** Shelves from the start of one hour's check to that of the next: coprime to their number, so all come first in turn. */
const STEP = 37;

type Store = Pick<BlobStore, 'list' | 'storedAt'>;

interface Options {
  signal?: AbortSignal;
  /** Ends the check between two shelves after this time. */
  checkMs?: number;
  at?: Date;
}

/**
 * Compares the stored blobs with their rows, shelf by shelf, outside any transaction: no statement reads more than the
 * rows of one shelf. What differs is looked at again, since uploads and deletions go on. Returns at most fifty offences
 * of each kind; changes nothing.
 */
export async function brokenBlobs(
  db: Db,
  blobs: Store,
  { signal, checkMs = CHECK_MS, at = new Date() }: Options = {},
): Promise<Broken[]> {
  const missing: Broken[] = [];
  const stray: Broken[] = [];
  const endsAt = Date.now() + checkMs;
  const before = new Date(at.getTime() - STRAY_PATIENCE_MS);
  for (const shelf of shelvesFrom(Math.floor(at.getTime() / HOUR_MS) * STEP)) {
    signal?.throwIfAborted();
    if (missing.length < MOST_ROWS) missing.push(...(await missingBlobs(db, blobs, shelf)));
    if (stray.length < MOST_ROWS)
      for (const name of await strayBlobs(db, blobs, shelf, before))
        stray.push({ invariant: 'blobs.have-rows', entity: name, detail: 'no row has this file' });
    if (Date.now() >= endsAt) break;
  }
  return [...missing.slice(0, MOST_ROWS), ...stray.slice(0, MOST_ROWS)];
}

const shelvesFrom = (number: number): string[] => {
  const first = number % SHELVES.length;
  return [...SHELVES.slice(first), ...SHELVES.slice(0, first)];
};

/** The rows of a shelf without their blob. A row is written after its blob, and a blob deleted after its row. */
async function missingBlobs(db: Db, blobs: Store, shelf: string): Promise<Broken[]> {
  const expected = (await rowsOfShelf(db, shelf)).map(({ name }) => name);
  if (expected.length === 0) return [];
  const stored = new Set((await blobs.list(shelf)).whole);
  const suspects = expected.filter((name) => !stored.has(name)).slice(0, MOST_ROWS);
  const rows = await rowsOfBlobs(db, suspects);
  return rows.map(({ name, column, entity }) => ({
    invariant: 'blobs.of-rows-are-stored',
    entity,
    detail: `${column} is ${name}, which is not stored`,
  }));
}
