import { execute, rows, type Db, type Tx } from '../sql/query';
import { table } from '../sql/table';
import { DiscardedBlob } from './discarded-blob.model';
import type { BlobStore } from './port';

/** An upload is a matter of seconds; what is older was left behind. */
const LEFT_BEHIND = '1 hour';
/** So many in one run; the next run goes on. */
const MOST_AT_ONCE = 500;

/**
 * Remembers blobs that no row names: just put and still to be claimed, or no longer wanted. They are removed when they
 * have been left behind, so that whatever breaks off between disk and database leaves nobody's picture for ever.
 */
export async function discardBlobs(db: Db, names: readonly string[]): Promise<void> {
  await execute(
    db,
    `INSERT INTO discarded_blobs (name, discarded_at) SELECT name, now() FROM unnest($1::text[]) AS name
     ON CONFLICT (name) DO NOTHING`,
    [names],
  );
}

/** Takes blobs for a row of this transaction. Throws when one has been left behind for so long that it is gone. */
export async function claimBlobs(tx: Tx, names: readonly string[]): Promise<void> {
  const claimed = await execute(tx, 'DELETE FROM discarded_blobs WHERE name = ANY ($1::text[])', [names]);
  if (claimed !== names.length) throw new Error('A blob was removed before it was needed.');
}

/** Removes these blobs if they are still discarded. */
export async function removeBlobs(db: Db, blobs: BlobStore, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!(await table(db, DiscardedBlob).one(['name'], { name }))) continue;
    await blobs.delete(name);
    await table(db, DiscardedBlob).remove({ name });
  }
}

/** Removes what was left behind at `at`; answers how many blobs that were. */
export async function removeLeftBlobs(db: Db, blobs: BlobStore, at: Date): Promise<number> {
  const left = await rows<{ name: string }>(
    db,
    `SELECT name FROM discarded_blobs WHERE discarded_at < $1::timestamptz - interval '${LEFT_BEHIND}'
     ORDER BY discarded_at LIMIT ${MOST_AT_ONCE}`,
    [at],
  );
  await removeBlobs(
    db,
    blobs,
    left.map(({ name }) => name),
  );
  return left.length;
}
