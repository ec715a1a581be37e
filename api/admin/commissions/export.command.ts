import { audited } from '../../../db/administration/audit/audit.writes';
import type { CommissionFilter } from '../../../db/partners/commission-list/commission-filter.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';

/** Records an export of commissions with its filter. */
export const recordCommissionExport = (db: Db, actor: Actor, filter: CommissionFilter): Promise<void> =>
  inTransaction(db, (tx) => audited(tx, actor, 'commission.export', 'export', null, filter));
