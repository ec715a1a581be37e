import { execute, type Tx } from '../../sql/query';

/** Deletes the text of a locked report about a person whose content is stored sealed elsewhere; its hash stays. */
export async function deleteAppliedText(tx: Tx, id: string, at: Date): Promise<void> {
  await execute(
    tx,
    'UPDATE webhook_events SET body = NULL, reconciled_at = coalesce(reconciled_at, $2) WHERE id = $1',
    [id, at],
  );
}

/**
 * Deletes the texts of investment providers' reports on a locked user: those that were found to concern that user, whatever
 * address they name, and those that name the id or the address and were never looked at. Those that are still to be applied or reconciled are only marked: retention deletes theirs as soon as they are.
 */
export const eraseReportsOn = (tx: Tx, userId: string): Promise<number> =>
  execute(
    tx,
    `UPDATE webhook_events e SET
       body = CASE WHEN e.reconciled_at IS NULL OR e.status IN ('RECEIVED', 'WAITING') THEN e.body END,
       is_about_erased = e.reconciled_at IS NULL OR e.status IN ('RECEIVED', 'WAITING')
     FROM users u
     WHERE u.id = $1 AND e.kind = 'INVESTMENT' AND e.body IS NOT NULL
       AND (e.user_id = u.id OR reported_field(e.body, 'userId') = u.id::text OR reported_field(e.body, 'email') = lower(u.email))`,
    [userId],
  );
