import { lockUserForDecision } from '../../../db/identity/user/user-lock.writes';
import { inTransaction } from '../../../db/sql/transaction';
import type { SuspensionActivities } from '../../../workflows/identity/suspension/suspension.contract';
import { steps, type DbDeps } from '../../steps';
import { activateUser } from './activate-user';
import { banUser } from './ban-user';
import { endSuspension } from './end-suspension';
import { suspendUser } from './suspend-user';
import { unbanUser } from './unban-user';

/** Decisions on the status of a user. Each is one transaction; repeated, it returns the first result. */
export const suspensionActivities = (deps: DbDeps): SuspensionActivities =>
  steps<SuspensionActivities, DbDeps>(deps, {
    suspendUser,
    activateUser,
    banUser,
    unbanUser,
    endSuspension,

    readSuspension: ({ db }, { userId }) =>
      // Locked, so that a decision under way is waited for.
      inTransaction(db, async (tx) => {
        const user = await lockUserForDecision(tx, userId);
        const suspended = user?.status === 'SUSPENDED';
        return { suspended, until: (suspended && user.suspendedUntil?.toISOString()) || null };
      }),
  });
