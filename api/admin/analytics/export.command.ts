import { audited } from '../../../db/administration/audit/audit.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import type { Range } from './reading/analytics-query';

/** Records an export of a page of analytics with its range. */
export const recordAnalyticsExport = (
  db: Db,
  actor: Actor,
  page: string,
  { from, to, granularity, timezone, currency }: Range,
): Promise<void> =>
  inTransaction(db, (tx) =>
    audited(tx, actor, 'analytics.export', page, null, { from, to, granularity, timezone, currency }),
  );
