import { execute, firstRow, type Tx } from '../../sql/query';
import type { UserStatus } from './user.reads';

/** An administrator's decision as it was carried out. */
export interface StatusChange {
  /** The request note that it came with. */
  id: string;
  userId: string;
  decision: 'SUSPEND' | 'ACTIVATE' | 'BAN' | 'UNBAN';
  decidedBy: string;
  /** When a suspension ends by itself; else null. */
  until: Date | null;
  sessionsRevoked: number;
  at: Date;
}

/** The roles that a user has now; none if there is no such user. */
export async function rolesOf(tx: Tx, userId: string): Promise<string[]> {
  const user = await firstRow<{ roles: string[] }>(tx, 'SELECT roles FROM users WHERE id = $1', [userId]);
  return user?.roles ?? [];
}

/** ACTIVE → SUSPENDED; false if the user is not ACTIVE. */
export async function suspend(
  tx: Tx,
  userId: string,
  { until, by, reason, at }: { until: Date | null; by: string; reason: string; at: Date },
): Promise<boolean> {
  const moved = await execute(
    tx,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = $2, suspended_until = $3, suspended_by = $4,
            suspension_reason = $5, updated_at = $2
      WHERE id = $1 AND status = 'ACTIVE'`,
    [userId, at, until, by, reason],
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

/** Keeps what a decision did, so that the same decision sent again gets the same answer. */
export async function keepStatusChange(tx: Tx, change: StatusChange): Promise<void> {
  await execute(
    tx,
    `INSERT INTO user_standing_changes (id, user_id, decision, decided_by, until, sessions_revoked, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      change.id,
      change.userId,
      change.decision,
      change.decidedBy,
      change.until,
      change.sessionsRevoked,
      change.at,
    ],
  );
}

/** What the decision under this note did; null if it was not carried out. */
export async function statusChange(tx: Tx, id: string): Promise<StatusChange | null> {
  return firstRow<StatusChange>(
    tx,
    `SELECT id, user_id, decision, decided_by, until, sessions_revoked, at
       FROM user_standing_changes WHERE id = $1`,
    [id],
  );
}
