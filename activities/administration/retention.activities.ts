import { forgetExpired } from '../../db/administration/retention.transitions';
import { removeLeftBlobs } from '../../db/blobs/discarded.writes';
import type { BlobStore } from '../../db/blobs/port';
import type { Policy } from '../../db/policy/config';
import type { Db } from '../../db/sql';
import type { RetentionActivities } from '../../workflows/administration/retention.contract';

interface RetentionDeps {
  db: Db;
  blobs: BlobStore;
  policy: Policy;
}

export const retentionActivities = ({ db, blobs, policy }: RetentionDeps): RetentionActivities => ({
  async forget({ at }) {
    const moment = new Date(at);
    const forgotten = await forgetExpired(db, moment, policy);
    return { ...forgotten, blobs: await removeLeftBlobs(db, blobs, moment) };
  },
});
