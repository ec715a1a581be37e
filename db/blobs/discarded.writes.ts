import { execute, rows, type Db, type Tx } from '../sql/query';
import { table } from '../sql/table';
import { DiscardedBlob } from './discarded-blob.model';
import { newBlobName, type BlobStore } from './port';

/** The age after which a discarded blob is deleted; an upload takes seconds. */
const EXPIRES_AFTER = '1 hour';
/** The age after which one cannot be claimed any more: none is deleted while it is claimed. */
const CLAIMED_WITHIN = '30 minutes';
/** The most blobs deleted in one run; the next run continues. */
const RUN_BLOBS = 500;

/**
 * Stores bytes for a row that will claim them, and returns the blob's name. It is listed before it exists: a kill between
 * any two lines leaves a listed blob or none, and a blob that is not listed is never claimed.
 */
export async function storeBlob(db: Db, blobs: BlobStore, bytes: Uint8Array): Promise<string> {
  const name = newBlobName();
  await discardBlobs(db, [name]);
  await blobs.put(name, bytes);
  return name;
}

/**
 * Lists blobs that no row refers to: new ones that are not claimed yet, or ones no longer needed. They are deleted after
 * an hour, so that a failure between disk and database leaves no picture for ever.
 */
export async function discardBlobs(db: Db, names: readonly string[]): Promise<void> {
  await execute(
    db,
    `INSERT INTO discarded_blobs (name, discarded_at) SELECT name, now() FROM unnest($1::text[]) AS name
     ON CONFLICT (name) DO NOTHING`,
    [names],
  );
}

/** Claims blobs for a row of this transaction. Throws if one is deleted, or old enough to be deleted soon. */
export async function claimBlobs(tx: Tx, names: readonly string[]): Promise<void> {
  const claimed = await execute(
    tx,
    `DELETE FROM discarded_blobs
      WHERE name = ANY ($1::text[]) AND discarded_at > clock_timestamp() - interval '${CLAIMED_WITHIN}'`,
    [names],
  );
  if (claimed !== names.length) throw new Error('A blob was removed before it was claimed.');
}

/**
 * Deletes the blobs of these names that are still discarded. One that cannot be deleted stays listed and keeps no other;
 * throws at the end if there was one.
 */
export async function removeBlobs(db: Db, blobs: BlobStore, names: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  for (const name of names) {
    if (!(await table(db, DiscardedBlob).one(['name'], { name }))) continue;
    try {
      await blobs.delete(name);
    } catch (error) {
      failures.push(error);
      continue;
    }
    await table(db, DiscardedBlob).remove({ name });
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} blobs cannot be deleted.`);
}

/** Deletes discarded blobs that have expired at `at`, up to a limit; returns how many. */
export async function removeLeftBlobs(db: Db, blobs: BlobStore, at: Date): Promise<number> {
  const left = await rows<{ name: string }>(
    db,
    `SELECT name FROM discarded_blobs WHERE discarded_at < $1::timestamptz - interval '${EXPIRES_AFTER}'
     ORDER BY discarded_at LIMIT ${RUN_BLOBS}`,
    [at],
  );
  await removeBlobs(
    db,
    blobs,
    left.map(({ name }) => name),
  );
  return left.length;
}
