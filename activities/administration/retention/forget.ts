import { log } from '@temporalio/activity';
import type { RetentionPolicy } from '../../../db/administration/retention/retention.rules';
import {
  forgetExpired,
  type ForgottenRows,
} from '../../../db/administration/retention/retention.transitions';
import { removeLeftBlobs } from '../../../db/blobs/discarded.writes';
import { removeStrayBlobs } from '../../../db/blobs/stray.writes';
import type { BlobStore } from '../../../db/blobs/port';
import { isSchemaNewer } from '../../../db/schema/newer-schema.reads';
import type { Db } from '../../../db/sql/query';
import { forgetVerifications, type VerificationRetention } from '../../kyc/retention/forget-verifications';
import type { JobWork } from '../job/job-work';

interface RetentionDeps {
  /** A pool for long work. */
  longDb: Db;
  blobs: BlobStore;
  policy: RetentionPolicy & VerificationRetention;
}

/** The number of rows that one run deleted or emptied, by kind. */
export interface Forgotten extends ForgottenRows {
  /** Identity verifications whose documents and personal data are no longer kept. */
  verifications: number;
  /** Files that were replaced, or that no row claimed. */
  blobs: number;
  /** Files older than a day that no row knows. */
  strayBlobs: number;
}

/** The daily deletion of expired data. */
export const retentionWork =
  (deps: RetentionDeps): JobWork =>
  async ({ at }, signal) => {
    const forgotten = await forget(deps, at, signal);
    const { idempotencyKeys, sessions, carts } = forgotten;
    return {
      done: Object.values<number>({ ...forgotten }).reduce((sum, count) => sum + count, 0),
      words: `Deleted ${idempotencyKeys} idempotency keys, ${sessions} sessions, ${carts} carts.`,
    };
  };

/**
 * Deletes the data that are expired at `at`. The kinds of work do not stop each other: one that fails fails the run, once all
 * others are done. The run is then repeated.
 */
export async function forget(
  { longDb: db, blobs, policy }: RetentionDeps,
  at: Date,
  signal: AbortSignal,
): Promise<Forgotten> {
  const errors: unknown[] = [];
  const attempt = async <Done>(work: () => Promise<Done>): Promise<Done | undefined> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      log.error('a part of the retention failed; the others go on', { error });
      errors.push(error);
      return undefined;
    }
  };
  const forgotten = await attempt(() => forgetExpired(db, at, policy, { signal }));
  const left = await attempt(() => removeLeftBlobs(db, blobs, at));
  const strayBlobs = await attempt(() => sweep({ db, blobs }, at, signal));
  const verifications = await attempt(() => forgetVerifications({ db, blobs, policy }, at, { signal }));
  if (
    forgotten === undefined ||
    left === undefined ||
    strayBlobs === undefined ||
    verifications === undefined
  )
    throw errors[0];
  return { ...forgotten, verifications, blobs: left, strayBlobs };
}

async function sweep(
  { db, blobs }: Pick<RetentionDeps, 'blobs'> & { db: Db },
  at: Date,
  signal: AbortSignal,
): Promise<number> {
  if (await isSchemaNewer(db)) {
    log.warn(
      'a newer release has changed the schema; this worker deletes no files that it finds without a row',
    );
    return 0;
  }
  return removeStrayBlobs(db, blobs, at, { signal });
}
