import { lockUserForDecision } from '../../../db/identity/user/user-lock.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { SuspensionActivities } from '../../../workflows/identity/suspension/suspension.contract';
import { activateUser } from './activate-user';
import { banUser } from './ban-user';
import { endSuspension } from './end-suspension';
import { suspendUser } from './suspend-user';
import { unbanUser } from './unban-user';

/** Decisions on the status of a user. Each is one transaction; repeated, it gives the first answer. */
export const suspensionActivities = ({ db }: { db: Db }): SuspensionActivities => ({
  suspendUser: (decision) => suspendUser(db, decision),
  activateUser: (decision) => activateUser(db, decision),
  banUser: (decision) => banUser(db, decision),
  unbanUser: (decision) => unbanUser(db, decision),

  readSuspension: ({ userId }) =>
    // Locked, so that a decision under way is waited for.
    inTransaction(db, async (tx) => {
      const user = await lockUserForDecision(tx, userId);
      const suspended = user?.status === 'SUSPENDED';
      return { suspended, until: (suspended && user.suspendedUntil?.toISOString()) || null };
    }),

  endSuspension: ({ userId, at }) => endSuspension(db, userId, new Date(at)),
});
