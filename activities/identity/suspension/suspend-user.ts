import type { UserUnderDecision } from '../../../db/identity/user/user-lock.writes';
import { suspend } from '../../../db/identity/user/user.transitions';
import { refusal } from '../../../workflows/errors';
import type { StatusChanged } from '../../../workflows/identity/suspension/suspension.contract';
import type { DbDeps } from '../../steps';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { isAdministrator } from '../../../workflows/identity/user/user.rules';
import { decide, wrongStatus, type Decision } from './decide';

/** Suspends a user for so many days; null: until an administrator decides. */
export function suspendUser(
  { db }: DbDeps,
  decision: Decision & { days: number | null },
): Promise<StatusChanged> {
  const at = new Date(decision.at);
  const until = decision.days === null ? null : new Date(at.getTime() + decision.days * DAY_MS);
  return decide(db, decision, {
    decision: 'SUSPEND',
    to: 'SUSPENDED',
    until,
    allow: requireSuspendable,
    move: (tx, { actorId: by, text }) => suspend(tx, decision.userId, { until, by, reason: text ?? '', at }),
  });
}

function requireSuspendable({ status, roles }: UserUnderDecision): void {
  if (isAdministrator(roles)) throw refusal('CANNOT_SUSPEND_ADMIN');
  if (status === 'SUSPENDED') throw refusal('ALREADY_SUSPENDED', 'This user is already suspended.');
  // Chosen: an account that was never verified cannot be used and is removed in time; a banned one stays banned.
  if (status !== 'ACTIVE') throw wrongStatus(status, 'Only an active user can be suspended');
}
