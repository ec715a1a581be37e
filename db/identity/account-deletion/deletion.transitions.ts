import type { Attributes } from 'sequelize';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../user/user.model';

/** An account whose deletion is requested, cancelled or carried out. */
export type AccountToDelete = Pick<
  Attributes<User>,
  'email' | 'firstName' | 'roles' | 'deletionDueAt' | 'erasedAt'
>;

/** The account, locked against sign-ins, decisions and new rows that refer to it; null if there is none. */
export function lockAccountToDelete(tx: Tx, userId: string): Promise<AccountToDelete | null> {
  return table(tx, User).one(
    ['email', 'firstName', 'roles', 'deletionDueAt', 'erasedAt'],
    { id: userId },
    { lock: 'UPDATE' },
  );
}

/** Schedules the erasure of a locked account for `graceDays` after `at`; returns that time. */
export async function setDeletionDue(
  tx: Tx,
  userId: string,
  { at, graceDays }: { at: Date; graceDays: number },
): Promise<Date> {
  const row = await firstRow<{ deletionDueAt: Date }>(
    tx,
    `UPDATE users SET deletion_due_at = $2::timestamptz + make_interval(days => $3::int), updated_at = $2
      WHERE id = $1 RETURNING deletion_due_at`,
    [userId, at, graceDays],
  );
  if (!row) throw new Error(`The account ${userId} is gone.`);
  return row.deletionDueAt;
}

/** Cancels the deletion of an account; no-op if none is scheduled. */
export async function clearDeletionDue(tx: Tx, userId: string, at: Date): Promise<void> {
  await table(tx, User).update({ deletionDueAt: null, updatedAt: at }, { id: userId });
}
