import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { leaveFor, lockUser, suspend, type LockedUser } from '../../../db/identity/user/user.transitions';
import type { UserStatus } from '../../../db/identity/user/user.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import {
  requireMayAdminister,
  type RoleHolder,
} from '../../../workflows/identity/user-administration/administrator-access';
import type { SuspensionActivities } from '../../../workflows/identity/suspension/suspension.contract';
import { decide, standingOf } from './standing-decision';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Decisions on who may act. Each is one transaction and may run any number of times: the second time it only answers. */
export const suspensionActivities = ({ db }: { db: Db }): SuspensionActivities => ({
  suspendUser: (decision) => {
    const at = new Date(decision.at);
    const until = decision.days === null ? null : new Date(at.getTime() + decision.days * DAY_MS);
    return decide(db, decision, {
      decision: 'SUSPEND',
      to: 'SUSPENDED',
      until,
      allow: mayBeSuspended,
      move: (tx, { actorId: by, text }) =>
        suspend(tx, decision.userId, { until, by, reason: text ?? '', at }),
    });
  },

  activateUser: (decision) =>
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
        leaveFor(tx, decision.userId, { from: ['SUSPENDED'], to: 'ACTIVE', at: new Date(decision.at) }),
    }),

  banUser: (decision) =>
    decide(db, decision, {
      decision: 'BAN',
      to: 'BANNED',
      until: null,
      allow: mayBeBanned,
      move: (tx) =>
        leaveFor(tx, decision.userId, {
          from: ['ACTIVE', 'SUSPENDED'],
          to: 'BANNED',
          at: new Date(decision.at),
        }),
    }),

  unbanUser: (decision) =>
    decide(db, decision, {
      decision: 'UNBAN',
      to: 'ACTIVE',
      until: null,
      allow: mayBeUnbanned,
      move: (tx) =>
        leaveFor(tx, decision.userId, { from: ['BANNED'], to: 'ACTIVE', at: new Date(decision.at) }),
    }),

  readSuspension: ({ userId }) =>
    inTransaction(db, async (tx) => {
      const user = await lockUser(tx, userId);
      const suspended = user?.status === 'SUSPENDED';
      return { suspended, until: (suspended && user.suspendedUntil?.toISOString()) || null };
    }),

  endSuspension: ({ userId, at }) => inTransaction(db, (tx) => endIfOver(tx, userId, new Date(at))),
});

function mayBeSuspended({ status, roles }: LockedUser): void {
  if (roles.includes('ADMIN') || roles.includes('SUPER_ADMIN'))
    throw refusal('CANNOT_SUSPEND_ADMIN', 'Administrators are not suspended; take the role away first.');
  if (status === 'SUSPENDED') throw refusal('ALREADY_SUSPENDED', 'This user is suspended already.');
  // Chosen: an account whose address was never verified cannot be used and goes by itself; a banned one stays banned.
  if (status !== 'ACTIVE') throw wrongStatus(status, 'Only a user who can sign in can be suspended');
}

function mayBeBanned(user: LockedUser, by: RoleHolder): void {
  requireMayAdminister(by, user);
  if (user.status !== 'ACTIVE' && user.status !== 'SUSPENDED')
    throw wrongStatus(user.status, 'Only a user who is active or suspended can be banned');
}

function mayBeUnbanned(user: LockedUser, by: RoleHolder): void {
  requireMayAdminister(by, user);
  if (user.status !== 'BANNED') throw wrongStatus(user.status, 'Only a banned user can be let in again');
  // Erasure closes an account for good: with a new address it would show its orders to somebody else.
  if (user.erasedAt !== null)
    throw refusal('VALIDATION_ERROR', 'An erased account stays closed.', {
      id: ['names an account that was erased'],
    });
}

const wrongStatus = (status: UserStatus, message: string): Error =>
  refusal('VALIDATION_ERROR', `${message}; this one is ${status}.`, {
    id: [`names a user who is ${status}`],
  });

async function endIfOver(tx: Tx, userId: string, at: Date): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user?.status !== 'SUSPENDED' || user.suspendedUntil === null || user.suspendedUntil > at) return;
  await leaveFor(tx, userId, { from: ['SUSPENDED'], to: 'ACTIVE', at });
  await recordAudit(tx, {
    actorId: null,
    action: 'user.suspension-ended',
    entityType: 'user',
    entityId: userId,
    previous: standingOf(user),
    next: { status: 'ACTIVE' },
    clientAddress: null,
    at,
  });
}
