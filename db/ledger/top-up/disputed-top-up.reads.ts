import { firstRow, type Db } from '../../sql/query';
import { isOf } from '../reference-columns';

/**
 * The amount that banks have taken back of a user's top-ups in a currency and not returned, less what was taken from the wallet for
 * it, and less withdrawals that were forfeited since: so a person settles what the wallet did not hold.
 */
export async function uncoveredTopUpsMinor(db: Db, userId: string, currency: string): Promise<number> {
  const uncovered = await firstRow<{ minor: number }>(
    db,
    `WITH missing AS (
       SELECT b.created_at, b.amount_minor + coalesce((SELECT sum(e.amount_minor) FROM ledger_transfers l
           JOIN ledger_entries e ON e.transfer_id = l.id AND e.account = 'wallet'
           WHERE ${isOf('l', 'top-up-chargeback')} AND l.subject_id = t.id::text AND l.part = b.id::text), 0) AS minor
         FROM top_ups t JOIN chargebacks b ON b.top_up_id = t.id JOIN payment_captures c ON c.id = b.capture_id
        WHERE t.user_id = $1 AND t.currency = $2 AND c.applied AND b.status <> 'RETURNED')
     SELECT greatest(coalesce(sum(minor), 0) - coalesce((SELECT sum(p.amount_minor) FROM payouts p
         WHERE p.user_id = $1 AND p.kind = 'WALLET' AND p.currency = $2 AND NOT p.funds_returned
           AND p.ended_at >= (SELECT min(created_at) FROM missing WHERE minor > 0)), 0), 0)::bigint AS minor
       FROM missing`,
    [userId, currency],
  );
  return uncovered?.minor ?? 0;
}

/** A withdrawal that a chargeback leaves as it is, since its money may be on its way. */
interface SentWithdrawal {
  id: string;
  status: string;
  amountMinor: number;
}

/** The open withdrawal of a user's wallet that is being sent, or may have been; null when there is none. */
export const sentWithdrawal = (db: Db, userId: string, currency: string): Promise<SentWithdrawal | null> =>
  firstRow<SentWithdrawal>(
    db,
    `SELECT id, status, amount_minor FROM payouts
      WHERE user_id = $1 AND kind = 'WALLET' AND currency = $2
        AND (status = 'PROCESSING' OR (status = 'APPROVED' AND unproven <> '[]'))`,
    [userId, currency],
  );

/** The ids of withdrawals that a chargeback has ended: one at most. */
export async function withdrawalsEndedBy(db: Db, chargebackId: string): Promise<string[]> {
  const ended = await firstRow<{ id: string }>(db, 'SELECT id FROM payouts WHERE chargeback_id = $1', [
    chargebackId,
  ]);
  return ended ? [ended.id] : [];
}
