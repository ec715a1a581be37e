import type { UserUnderDecision } from '../../../db/identity/user/user-lock.writes';
import { moveUser } from '../../../db/identity/user/user.transitions';
import type { StatusChanged } from '../../../workflows/identity/suspension/suspension.contract';
import {
  requireMayAdminister,
  type RoleHolder,
} from '../../../workflows/identity/user-administration/administrator-access';
import type { DbDeps } from '../../steps';
import { decide, wrongStatus, type Decision } from './decide';

/** Bans a user, suspended or not. */
export const banUser = ({ db }: DbDeps, decision: Decision): Promise<StatusChanged> =>
  decide(db, decision, {
    decision: 'BAN',
    to: 'BANNED',
    until: null,
    allow: requireBannable,
    move: (tx) =>
      moveUser(tx, decision.userId, {
        from: ['ACTIVE', 'SUSPENDED'],
        to: 'BANNED',
        at: new Date(decision.at),
      }),
  });

function requireBannable(user: UserUnderDecision, by: RoleHolder): void {
  requireMayAdminister(by, user);
  if (user.status !== 'ACTIVE' && user.status !== 'SUSPENDED')
    throw wrongStatus(user.status, 'Only an active or suspended user can be banned');
}
