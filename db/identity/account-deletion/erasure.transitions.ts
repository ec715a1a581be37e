import { withdrawReviewer } from '../../catalog/review/review-erasure.transitions';
import { eraseVerifications } from '../../kyc/ending/erasure.transitions';
import { eraseReportsOn } from '../../administration/webhook/webhook-erasure.transitions';
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
  'kyc_document_tries',
  'kyc_provider_reports',
  'kyc_pushes',
  'investment_provider_sign_ins',
] as const;

/**
 * Erases the personal data of a locked account; returns its discarded blobs. Kept, as accounting law requires: the ledger,
 * and orders with their recipients (part of the invoice). As the law on money laundering requires: what was decided about
 * their identity, when and by whom. Also kept: published reviews, without an author, and the audit trail, which cannot be
 * changed. The user's row stays for these to refer to, banned and without personal data.
 */
export async function eraseAccount(tx: Tx, userId: string, at: Date): Promise<string[]> {
  const blobs = [...(await removeAvatar(tx, userId)), ...(await eraseVerifications(tx, userId, at))];
  await withdrawReviewer(tx, userId);
  for (const table of PERSONAL) await execute(tx, `DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  await clearTexts(tx, userId);
  await eraseReportsOn(tx, userId);
  await deleteMessages(tx, userId);
  await execute(
    tx,
    `UPDATE partners SET status = 'TERMINATED', status_changed_at = $2 WHERE user_id = $1 AND status <> 'TERMINATED'`,
    [userId, at],
  );
  await execute(
    tx,
    `UPDATE users SET email = 'erased-' || id || '@erased.invalid', first_name = 'Erased', last_name = 'Erased',
       middle_name = NULL, date_of_birth = NULL, phone = NULL, phone_verified_at = NULL, avatar_url = NULL,
       country_code = NULL, home_region = NULL, city = NULL, postal_code = NULL, address_line1 = NULL, language = NULL,
       timezone = NULL, currency = NULL, password_hash = NULL, password_changed_at = NULL, email_verified_at = NULL,
       accepted_marketing = false, last_login_at = NULL, payout_method = NULL, payout_masked = NULL,
       payout_sealed = NULL, payout_changed_at = NULL, suspended_at = NULL, suspended_until = NULL,
       suspended_by = NULL, suspension_reason = NULL, kyc_level = 'NONE',
       kyc_status = CASE kyc_status WHEN 'REJECTED' THEN kyc_status ELSE 'NOT_STARTED' END,
       roles = '{USER}', status = 'BANNED', deletion_due_at = NULL, erased_at = $2, updated_at = $2
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
  for (const statement of [...TEXTS_OF_TRANSFERS, ...TEXTS_OF_PARTNERS])
    await execute(tx, statement, [userId]);
}

/**
 * Of money that was sent out: where it went, and what administrators and banks wrote about it. An account with money on its way is
 * not erased. A rejection has to have a reason, a refusal too; the bank's reference of a transfer stays, as accounting needs it.
 */
const TEXTS_OF_TRANSFERS = [
  `UPDATE payouts SET details = NULL, external_reference = NULL, last_refusal = NULL,
     rejection_reason = CASE WHEN rejection_reason IS NOT NULL THEN 'Erased' END
    WHERE user_id = $1 AND ended_at IS NOT NULL`,
  `UPDATE investment_withdrawals SET details = NULL,
     refused_because = CASE WHEN refused_because IS NOT NULL THEN 'Erased' END
    WHERE user_id = $1 AND ended_at IS NOT NULL`,
  // Of all tries. The files are kept until they are forgotten.
  `UPDATE bank_file_transfers SET destination = NULL
    WHERE destination IS NOT NULL AND ended_at IS NOT NULL AND subject_id IN (
      SELECT id FROM payouts WHERE user_id = $1 UNION ALL SELECT id FROM investment_withdrawals WHERE user_id = $1)`,
];

/** Names of a partner's links, and what administrators wrote about the partner. Decisions stay, and have to have a reason. */
const TEXTS_OF_PARTNERS = [
  `UPDATE partner_links SET name = 'Erased', campaign = NULL
    WHERE partner_id = (SELECT id FROM partners WHERE user_id = $1)`,
  `UPDATE partner_commissions SET adjustment_reason = 'Erased'
    WHERE partner_id = (SELECT id FROM partners WHERE user_id = $1) AND adjustment_reason IS NOT NULL`,
  `UPDATE partner_rank_changes SET reason = 'Erased'
    WHERE partner_id = (SELECT id FROM partners WHERE user_id = $1) AND reason IS NOT NULL`,
];

/** Deletes sent messages. A waiting one may be for another account with the same address, in another region. */
async function deleteMessages(tx: Tx, userId: string): Promise<void> {
  const user = await table(tx, User).one(['email', 'phone'], { id: userId });
  await execute(tx, `DELETE FROM outbox_messages WHERE recipient IN ($1, $2) AND status <> 'WAITING'`, [
    user?.email,
    user?.phone ?? null,
  ]);
}
