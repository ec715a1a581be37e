import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { lockUserForDecision } from '../../../db/identity/user/user-lock.writes';
import { moveUser } from '../../../db/identity/user/user.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { auditedStatus } from './decide';

/** Makes a user ACTIVE if their suspension has run out at `at`; one prolonged or ended meanwhile stays as it is. */
export async function endSuspension(db: Db, userId: string, at: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockUserForDecision(tx, userId);
    if (user?.status !== 'SUSPENDED' || user.suspendedUntil === null || user.suspendedUntil > at) return;
    await moveUser(tx, userId, { from: ['SUSPENDED'], to: 'ACTIVE', at });
    await recordAudit(tx, {
      actorId: null,
      action: 'user.suspension-ended',
      entityType: 'user',
      entityId: userId,
      previous: auditedStatus(user),
      next: { status: 'ACTIVE' },
      clientAddress: null,
      at,
    });
  });
}
