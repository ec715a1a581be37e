import { moveUser } from '../../../db/identity/user/user.transitions';
import { refusal } from '../../../workflows/errors';
import type { StatusChanged } from '../../../workflows/identity/suspension/suspension.contract';
import { requireMayAdminister } from '../../../workflows/identity/user-administration/administrator-access';
import type { DbDeps } from '../../steps';
import { decide, type Decision } from './decide';

/** Ends a suspension before its time. */
export const activateUser = ({ db }: DbDeps, decision: Decision): Promise<StatusChanged> =>
  decide(db, decision, {
    decision: 'ACTIVATE',
    to: 'ACTIVE',
    until: null,
    allow: (user, by) => {
      requireMayAdminister(by, user);
      if (user.status !== 'SUSPENDED')
        throw refusal('NOT_SUSPENDED', `This user is ${user.status}, not SUSPENDED.`);
    },
    move: (tx) =>
      moveUser(tx, decision.userId, { from: ['SUSPENDED'], to: 'ACTIVE', at: new Date(decision.at) }),
  });
