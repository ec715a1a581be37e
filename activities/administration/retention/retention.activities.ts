import type { RetentionPolicy } from '../../../db/administration/retention/retention.rules';
import { forgetExpired } from '../../../db/administration/retention/retention.transitions';
import { removeLeftBlobs } from '../../../db/blobs/discarded.writes';
import type { BlobStore } from '../../../db/blobs/port';
import type { Db } from '../../../db/sql/query';
import type { RetentionActivities } from '../../../workflows/administration/retention/retention.contract';
import { withHeartbeat } from '../../heartbeat';

interface RetentionDeps {
  /** A pool for long work. */
  db: Db;
  blobs: BlobStore;
  policy: RetentionPolicy;
}

export const retentionActivities = ({ db, blobs, policy }: RetentionDeps): RetentionActivities => ({
  forget: ({ at }) =>
    withHeartbeat(async (signal) => {
      const moment = new Date(at);
      const forgotten = await forgetExpired(db, moment, policy, { signal });
      return { ...forgotten, blobs: await removeLeftBlobs(db, blobs, moment) };
    }),
});
