import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';

/** Records an export of the statement of a partner's month. */
export const recordStatementExport = (
  db: Db,
  actor: Actor,
  { partnerId, month }: { partnerId: string; month: string },
): Promise<void> =>
  inTransaction(db, (tx) =>
    recordAudit(tx, {
      ...actor,
      action: 'partner.export-statement',
      entityType: 'partner',
      entityId: partnerId,
      previous: null,
      next: { month },
      at: new Date(),
    }),
  );
