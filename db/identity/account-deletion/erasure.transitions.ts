import { withdrawReviewer } from '../../catalog/review/review-erasure.transitions';
import { execute, firstRow, type Tx } from '../../sql/query';
import { removeAvatar } from '../user/avatar.writes';

/** What hangs on a person and says something about them; none of it is needed once they are gone. */
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
 * Erases what is personal of a locked account; answers the blobs that nobody needs now. Kept, as the law wants books to
 * be kept: the ledger, and orders with what they were sent under (a recipient's name is part of the invoice); reviews
 * that are published, as nobody's; the audit trail, which nobody can change. The row itself stays for them to refer to, closed for good and with nobody's name.
 */
export async function eraseAccount(tx: Tx, userId: string, at: Date): Promise<string[]> {
  const blobs = await removeAvatar(tx, userId);
  await withdrawReviewer(tx, userId);
  for (const table of PERSONAL) await execute(tx, `DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  await forgetWords(tx, userId);
  await forgetMessages(tx, userId);
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
  return blobs;
}

/** Rows that others need, without what this person wrote and from where. */
async function forgetWords(tx: Tx, userId: string): Promise<void> {
  await execute(tx, `UPDATE request_notes SET text = NULL, client_address = '' WHERE actor_id = $1`, [
    userId,
  ]);
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

/** Messages that are out. One that waits may be another account's at the same address, in another region. */
async function forgetMessages(tx: Tx, userId: string): Promise<void> {
  const reach = await firstRow<{ email: string; phone: string | null }>(
    tx,
    'SELECT email, phone FROM users WHERE id = $1',
    [userId],
  );
  await execute(tx, `DELETE FROM outbox_messages WHERE recipient IN ($1, $2) AND status <> 'WAITING'`, [
    reach?.email,
    reach?.phone ?? null,
  ]);
}
