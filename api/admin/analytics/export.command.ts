import { recordAudit } from '../../../db/administration/audit/audit.writes';
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
    recordAudit(tx, {
      ...actor,
      action: 'analytics.export',
      entityType: 'analytics',
      entityId: page,
      previous: null,
      next: { from, to, granularity, timezone, currency },
      at: new Date(),
    }),
  );
