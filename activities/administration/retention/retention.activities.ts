import { log } from '@temporalio/activity';
import type { RetentionPolicy } from '../../../db/administration/retention/retention.rules';
import { forgetExpired } from '../../../db/administration/retention/retention.transitions';
import { removeLeftBlobs } from '../../../db/blobs/discarded.writes';
import { removeStrayBlobs } from '../../../db/blobs/stray.writes';
import type { BlobStore } from '../../../db/blobs/port';
import { isSchemaNewer } from '../../../db/schema/newer-schema.reads';
import type { Db } from '../../../db/sql/query';
import type { RetentionActivities } from '../../../workflows/administration/retention/retention.contract';
import { forgetVerifications, type VerificationRetention } from '../../kyc/retention/forget-verifications';
import { withHeartbeat } from '../../heartbeat';

interface RetentionDeps {
  /** A pool for long work. */
  db: Db;
  blobs: BlobStore;
  policy: RetentionPolicy & VerificationRetention;
}

/**
 * The kinds of work of a run do not stop each other: one that fails fails the run, once all others are done. The run is
 * then repeated.
 */
export const retentionActivities = ({ db, blobs, policy }: RetentionDeps): RetentionActivities => ({
  forget: ({ at }) =>
    withHeartbeat(async (signal) => {
      const moment = new Date(at);
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
      const forgotten = await attempt(() => forgetExpired(db, moment, policy, { signal }));
      const left = await attempt(() => removeLeftBlobs(db, blobs, moment));
      const strayBlobs = await attempt(() => sweep({ db, blobs }, moment, signal));
      const verifications = await attempt(() =>
        forgetVerifications({ db, blobs, policy }, moment, { signal }),
      );
      if (
        forgotten === undefined ||
        left === undefined ||
        strayBlobs === undefined ||
        verifications === undefined
      )
        throw errors[0];
      return { ...forgotten, verifications, blobs: left, strayBlobs };
    }),
});

async function sweep(
  { db, blobs }: Pick<RetentionDeps, 'db' | 'blobs'>,
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
