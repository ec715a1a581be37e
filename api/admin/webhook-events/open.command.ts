import { audited } from '../../../db/administration/audit/audit.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';

/** Records that an administrator reads what a report says, and on whose money. Call it before anything is shown. */
export const recordOpening = (
  db: Db,
  { id, userId }: { id: string; userId: string | null },
  by: Actor,
): Promise<void> => inTransaction(db, (tx) => audited(tx, by, 'webhook-event.open', id, null, { userId }));
