import { recordAudit } from '../../../db/administration/audit/audit.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';

/** Records that an administrator reads what a report says, and on whose money. Call it before anything is shown. */
export const recordOpening = (
  db: Db,
  { id, userId }: { id: string; userId: string | null },
  by: Actor,
): Promise<void> =>
  inTransaction(db, (tx) =>
    recordAudit(tx, {
      ...by,
      action: 'webhook-event.open',
      entityType: 'webhook-event',
      entityId: id,
      previous: null,
      next: { userId },
      at: new Date(),
    }),
  );
