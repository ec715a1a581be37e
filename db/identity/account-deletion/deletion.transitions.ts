import { refusal } from '../../../workflows/errors';
import { execute, firstRow, type Tx } from '../../sql/query';
import { openMatters } from '../user/open-matters.reads';
import { endOtherSessions } from '../session/session.writes';
import { lockStayingSuperAdmins } from '../user-administration/super-admin.writes';

/** An account whose row is locked. */
export interface DoomedAccount {
  email: string;
  firstName: string;
  roles: string[];
  dueAt: Date | null;
  erasedAt: Date | null;
}

/** Locks the account: sign-ins and orders of its owner wait. Null when there is none. */
export function lockAccount(tx: Tx, userId: string): Promise<DoomedAccount | null> {
  return firstRow<DoomedAccount>(
    tx,
    `SELECT email, first_name, roles, deletion_due_at AS due_at, erased_at
       FROM users WHERE id = $1 FOR UPDATE`,
    [userId],
  );
}

/**
 * Sets the day on which a locked account will be erased, and ends all its sessions. Refuses with FORBIDDEN the last
 * SUPER_ADMIN who stays, and with VALIDATION_ERROR whoever has money here or orders under way.
 */
export async function scheduleDeletion(
  tx: Tx,
  userId: string,
  account: DoomedAccount,
  { at, graceDays }: { at: Date; graceDays: number },
): Promise<Date> {
  await requireAnotherSuperAdmin(tx, userId, account);
  const matters = await openMatters(tx, userId, { at, returnWindowDays: null });
  if (matters.length > 0)
    throw refusal(
      'VALIDATION_ERROR',
      'The account cannot be deleted yet: withdraw or spend what it holds, and let its orders come to their end.',
      { account: matters },
    );
  const row = await firstRow<{ dueAt: Date }>(
    tx,
    `UPDATE users SET deletion_due_at = $2::timestamptz + make_interval(days => $3::int), updated_at = $2
      WHERE id = $1 RETURNING deletion_due_at AS due_at`,
    [userId, at, graceDays],
  );
  if (!row) throw new Error(`The account ${userId} is gone.`);
  await endOtherSessions(tx, userId, null, 'DELETION');
  return row.dueAt;
}

/** Two who leave at once see each other: both lock all. */
async function requireAnotherSuperAdmin(tx: Tx, userId: string, { roles }: DoomedAccount): Promise<void> {
  if (!roles.includes('SUPER_ADMIN')) return;
  const staying = await lockStayingSuperAdmins(tx);
  if (!staying.some((id) => id !== userId))
    throw refusal('FORBIDDEN', 'The last SUPER_ADMIN cannot leave: make somebody else one first.');
}

/** The account stays. Not asked for: nothing. */
export async function unscheduleDeletion(tx: Tx, userId: string, at: Date): Promise<void> {
  await execute(tx, 'UPDATE users SET deletion_due_at = NULL, updated_at = $2 WHERE id = $1', [userId, at]);
}
