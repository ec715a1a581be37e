import type { UserUnderDecision } from '../../../db/identity/user/user-lock.writes';
import { moveUser } from '../../../db/identity/user/user.transitions';
import { businessRefusal } from '../../../workflows/errors';
import type { StatusChanged } from '../../../workflows/identity/suspension/suspension.contract';
import {
  requireMayAdminister,
  type RoleHolder,
} from '../../../workflows/identity/user-administration/administrator-access';
import type { DbDeps } from '../../steps';
import { decide, wrongStatus, type Decision } from './decide';

/** Lets a banned user sign in again. */
export const unbanUser = ({ db }: DbDeps, decision: Decision): Promise<StatusChanged> =>
  decide(db, decision, {
    decision: 'UNBAN',
    to: 'ACTIVE',
    until: null,
    allow: requireUnbannable,
    move: (tx) =>
      moveUser(tx, decision.userId, { from: ['BANNED'], to: 'ACTIVE', at: new Date(decision.at) }),
  });

function requireUnbannable(user: UserUnderDecision, by: RoleHolder): void {
  requireMayAdminister(by, user);
  if (user.status !== 'BANNED') throw wrongStatus(user.status, 'Only a banned user can be unbanned');
  // Erasure closes an account for good: with a new address it would show its orders to another person.
  if (user.erasedAt !== null)
    throw businessRefusal('ACCOUNT_ERASED', 'An erased account cannot be unbanned.');
}
