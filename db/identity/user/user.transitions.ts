import type { Attributes } from 'sequelize';
import type { UserStatus } from '../../../workflows/identity/user/user.rules';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { UserStatusChange } from './user-status-change.model';
import { User } from './user.model';

/** An administrator's decision as it was carried out. */
export type StatusChange = Attributes<UserStatusChange>;

/** The current roles of a user; empty if there is no such user. */
export async function rolesOf(tx: Tx, userId: string): Promise<string[]> {
  return (await table(tx, User).one(['roles'], { id: userId }))?.roles ?? [];
}

/** ACTIVE → SUSPENDED; false if the user is not ACTIVE. */
export async function suspend(
  tx: Tx,
  userId: string,
  { until, by, reason, at }: { until: Date | null; by: string; reason: string; at: Date },
): Promise<boolean> {
  const suspension = { suspendedAt: at, suspendedUntil: until, suspendedBy: by, suspensionReason: reason };
  const moved = await table(tx, User).update(
    { status: 'SUSPENDED', ...suspension, updatedAt: at },
    { id: userId, status: 'ACTIVE' },
  );
  return moved === 1;
}

/** Moves a user from one of these statuses to another and ends any suspension; false if the user is in none of them. */
export async function moveUser(
  tx: Tx,
  userId: string,
  { from, to, at }: { from: readonly UserStatus[]; to: 'ACTIVE' | 'BANNED'; at: Date },
): Promise<boolean> {
  const moved = await execute(
    tx,
    `UPDATE users SET status = $2, suspended_at = NULL, suspended_until = NULL, suspended_by = NULL,
            suspension_reason = NULL, updated_at = $4
      WHERE id = $1 AND status = ANY ($3)`,
    [userId, to, [...from], at],
  );
  return moved === 1;
}

/** Records the effect of a decision, so that the same decision sent again gets the same answer. */
export const keepStatusChange = (tx: Tx, change: StatusChange): Promise<void> =>
  table(tx, UserStatusChange).insert(change);

/** The effect of the decision with this note; null if it was not carried out. */
export const statusChange = (
  tx: Tx,
  id: string,
): Promise<Pick<StatusChange, 'at' | 'until' | 'sessionsRevoked'> | null> =>
  table(tx, UserStatusChange).one(['at', 'until', 'sessionsRevoked'], { id });
