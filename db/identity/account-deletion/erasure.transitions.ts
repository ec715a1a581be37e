import { withdrawReviewer } from '../../catalog/review/review-erasure.transitions';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { removeAvatar } from '../user/avatar.writes';
import { User } from '../user/user.model';

/** The tables whose rows about a user are deleted with the account. */
export const PERSONAL = [
  'addresses',
  'sessions',
  'backup_codes',
  'second_factors',
  'sent_codes',
  'login_challenges',
  'mailed_tokens',
  'password_history',
  'pending_registrations',
  'external_accounts',
  'user_notes',
  'carts',
  'review_votes',
] as const;

/**
 * Erases the personal data of a locked account; answers its discarded blobs. Kept, as accounting law requires: the ledger,
 * and orders with their recipients (part of the invoice). Also kept: published reviews, without an author, and the audit
 * trail, which cannot be changed. The user's row stays for these to refer to, banned and without personal data.
 */
export async function eraseAccount(tx: Tx, userId: string, at: Date): Promise<string[]> {
  const blobs = await removeAvatar(tx, userId);
  await withdrawReviewer(tx, userId);
  for (const table of PERSONAL) await execute(tx, `DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  await clearTexts(tx, userId);
  await deleteMessages(tx, userId);
  await execute(
    tx,
    `UPDATE partners SET status = 'TERMINATED' WHERE user_id = $1 AND status <> 'TERMINATED'`,
    [userId],
  );
  await execute(
    tx,
    `UPDATE users SET email = 'erased-' || id || '@erased.invalid', first_name = 'Erased', last_name = 'Erased',
       middle_name = NULL, date_of_birth = NULL, phone = NULL, phone_verified_at = NULL, avatar_url = NULL,
       country_code = NULL, home_region = NULL, city = NULL, postal_code = NULL, address_line1 = NULL, language = NULL,
       timezone = NULL, currency = NULL, password_hash = NULL, password_changed_at = NULL, email_verified_at = NULL,
       accepted_marketing = false, last_login_at = NULL, payout_method = NULL, payout_masked = NULL,
       payout_sealed = NULL, payout_changed_at = NULL, suspended_at = NULL, suspended_until = NULL,
       suspended_by = NULL, suspension_reason = NULL, roles = '{USER}', status = 'BANNED', deletion_due_at = NULL,
       erased_at = $2, updated_at = $2
     WHERE id = $1`,
    [userId, at],
  );
  // Last, since the database lets go of these notes only with an erased account.
  await execute(
    tx,
    'DELETE FROM order_internal_notes WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)',
    [userId],
  );
  return blobs;
}

/** Clears what the user wrote, and from which address, in rows that are kept; and what was written about them. */
async function clearTexts(tx: Tx, userId: string): Promise<void> {
  await execute(tx, `UPDATE request_notes SET text = NULL, client_address = '' WHERE actor_id = $1`, [
    userId,
  ]);
  // Earlier releases kept the texts of internal notes a second time, as requests of their authors.
  await execute(
    tx,
    `UPDATE request_notes SET text = NULL WHERE id IN (
       SELECT n.id FROM order_internal_notes n JOIN orders o ON o.id = n.order_id WHERE o.user_id = $1)`,
    [userId],
  );
  await execute(tx, 'UPDATE orders SET notes = NULL WHERE user_id = $1 AND notes IS NOT NULL', [userId]);
  await execute(
    tx,
    `UPDATE refund_requests SET reason = '', description = NULL, decision_note = NULL WHERE user_id = $1`,
    [userId],
  );
  await execute(
    tx,
    'UPDATE referral_touches SET ip_address = NULL, user_agent = NULL WHERE converted_user_id = $1',
    [userId],
  );
}

/** Deletes sent messages. A waiting one may be for another account with the same address, in another region. */
async function deleteMessages(tx: Tx, userId: string): Promise<void> {
  const user = await table(tx, User).one(['email', 'phone'], { id: userId });
  await execute(tx, `DELETE FROM outbox_messages WHERE recipient IN ($1, $2) AND status <> 'WAITING'`, [
    user?.email,
    user?.phone ?? null,
  ]);
}
