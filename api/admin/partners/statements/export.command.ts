import { audited } from '../../../../db/administration/audit/audit.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';

/** Records an export of the statement of a partner's month. */
export const recordStatementExport = (
  db: Db,
  actor: Actor,
  { partnerId, month }: { partnerId: string; month: string },
): Promise<void> =>
  inTransaction(db, (tx) => audited(tx, actor, 'partner.export-statement', partnerId, null, { month }));
