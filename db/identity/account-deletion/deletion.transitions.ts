import { execute, firstRow, type Tx } from '../../sql/query';

/** An account whose deletion is requested, cancelled or carried out. */
export interface AccountToDelete {
  email: string;
  firstName: string;
  roles: string[];
  /** When it will be erased; null: no deletion is scheduled. */
  dueAt: Date | null;
  erasedAt: Date | null;
}

/** The account, locked against sign-ins, decisions and new rows that refer to it; null if there is none. */
export function lockAccountToDelete(tx: Tx, userId: string): Promise<AccountToDelete | null> {
  return firstRow<AccountToDelete>(
    tx,
    `SELECT email, first_name, roles, deletion_due_at AS due_at, erased_at
       FROM users WHERE id = $1 FOR UPDATE`,
    [userId],
  );
}

/** Sets when a locked account will be erased, `graceDays` after `at`; answers when. */
export async function setDeletionDue(
  tx: Tx,
  userId: string,
  { at, graceDays }: { at: Date; graceDays: number },
): Promise<Date> {
  const row = await firstRow<{ dueAt: Date }>(
    tx,
    `UPDATE users SET deletion_due_at = $2::timestamptz + make_interval(days => $3::int), updated_at = $2
      WHERE id = $1 RETURNING deletion_due_at AS due_at`,
    [userId, at, graceDays],
  );
  if (!row) throw new Error(`The account ${userId} is gone.`);
  return row.dueAt;
}

/** Cancels the deletion of an account; no-op if none is scheduled. */
export async function clearDeletionDue(tx: Tx, userId: string, at: Date): Promise<void> {
  await execute(tx, 'UPDATE users SET deletion_due_at = NULL, updated_at = $2 WHERE id = $1', [userId, at]);
}
