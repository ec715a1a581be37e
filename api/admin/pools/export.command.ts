import { audited } from '../../../db/administration/audit/audit.writes';
import type { PoolRunFigures } from '../../../db/partners/pool/pool.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';

/** Records an export of a pool's shares. */
export const recordPoolExport = (db: Db, actor: Actor, { id, kind, period }: PoolRunFigures): Promise<void> =>
  inTransaction(db, (tx) => audited(tx, actor, 'pool.export', id, null, { kind, period }));
