import { forgetExpired } from '../../db/administration/retention.transitions';
import type { Db } from '../../db/sql';
import type { RetentionActivities } from '../../workflows/administration/retention.contract';

export const retentionActivities = ({ db }: { db: Db }): RetentionActivities => ({
  forget: ({ at }) => forgetExpired(db, new Date(at)),
});
