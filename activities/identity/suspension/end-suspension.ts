import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { lockUserForDecision } from '../../../db/identity/user/user-lock.writes';
import { moveUser } from '../../../db/identity/user/user.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { DbDeps } from '../../steps';
import { auditedStatus } from './decide';

/** Makes a user ACTIVE if their suspension has run out at `at`; one prolonged or ended meanwhile stays as it is. */
export async function endSuspension(
  { db }: DbDeps,
  { userId, at: moment }: { userId: string; at: string },
): Promise<void> {
  const at = new Date(moment);
  await inTransaction(db, async (tx) => {
    const user = await lockUserForDecision(tx, userId);
    if (user?.status !== 'SUSPENDED' || user.suspendedUntil === null || user.suspendedUntil > at) return;
    await moveUser(tx, userId, { from: ['SUSPENDED'], to: 'ACTIVE', at });
    await recordAudit(tx, {
      actorId: null,
      action: 'user.suspension-ended',
      entityId: userId,
      previous: auditedStatus(user),
      next: { status: 'ACTIVE' },
      clientAddress: null,
      at,
    });
  });
}
