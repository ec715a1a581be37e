import { execute, firstRow, type Tx } from '../../sql/query';
import type { UserStatus } from './user.reads';

/** What decisions on a person need to know of them. */
export interface LockedUser {
  id: string;
  email: string;
  firstName: string;
  status: UserStatus;
  roles: string[];
  suspendedUntil: Date | null;
  suspensionReason: string | null;
  erasedAt: Date | null;
}

/** A decision as it was carried out. */
export interface StandingChange {
  /** The request note that it came with. */
  id: string;
  userId: string;
  decision: 'SUSPEND' | 'ACTIVATE' | 'BAN' | 'UNBAN';
  by: string;
  /** When a suspension ends by itself; else null. */
  until: Date | null;
  sessionsRevoked: number;
  at: Date;
}

/** Locks the user: sign-ins and other decisions wait for this transaction. Null when there is none. */
export async function lockUser(tx: Tx, userId: string): Promise<LockedUser | null> {
  return firstRow<LockedUser>(
    tx,
    `SELECT id, email, first_name, status, roles, suspended_until,
            suspension_reason, erased_at
       FROM users WHERE id = $1 FOR UPDATE`,
    [userId],
  );
}

/** What a user may do now; nothing when there is none. */
export async function rolesOf(tx: Tx, userId: string): Promise<string[]> {
  const user = await firstRow<{ roles: string[] }>(tx, 'SELECT roles FROM users WHERE id = $1', [userId]);
  return user?.roles ?? [];
}

/** ACTIVE → SUSPENDED; false when the user is not ACTIVE. */
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

/** Into another status from one of these, and out of any suspension; false when the user is in none of them. */
export async function leaveFor(
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

/** Keeps what a decision did, for whoever asks for it again. */
export async function keepStandingChange(tx: Tx, change: StandingChange): Promise<void> {
  await execute(
    tx,
    `INSERT INTO user_standing_changes (id, user_id, decision, decided_by, until, sessions_revoked, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [change.id, change.userId, change.decision, change.by, change.until, change.sessionsRevoked, change.at],
  );
}

/** What the decision under this note did; null when it was not carried out. */
export async function standingChange(tx: Tx, id: string): Promise<StandingChange | null> {
  return firstRow<StandingChange>(
    tx,
    `SELECT id, user_id, decision, decided_by AS by, until, sessions_revoked, at
       FROM user_standing_changes WHERE id = $1`,
    [id],
  );
}
