import { firstRow, type Tx } from '../../sql/query';
import { payablesOf, USER_ID } from '../payment/payable';
import type { DifferenceRow } from './reconciliation.reads';

/** Rows of payments that a difference may be about, as `r`; of an attempt, the provider knows our id before there is a capture. */
const PAYMENTS = ['payment_attempts', 'payment_captures', 'payment_refunds', 'chargebacks']
  .map((table) => `SELECT ${USER_ID} FROM ids JOIN ${table} r USING (id) ${payablesOf('r')}`)
  .join(' UNION ALL ');

/**
 * True if a difference is about money to or from this user: by the id of our row, or by our key of what only the provider says,
 * while that is kept.
 */
export async function isDifferenceOf(
  tx: Tx,
  { provider, movementKind, providerId, ourId }: DifferenceRow,
  userId: string,
): Promise<boolean> {
  const own = await firstRow(
    tx,
    `WITH ids AS (
       SELECT named.id::uuid AS id FROM (
         SELECT $4::text AS id
         UNION SELECT split_part(m.reference, ':', 1) FROM provider_movements m
           WHERE m.provider = $1 AND m.kind = $2 AND m.provider_id = $3) AS named
        WHERE pg_input_is_valid(named.id, 'uuid'))
     SELECT 1 FROM (
       SELECT user_id FROM ids JOIN payouts USING (id)
       UNION ALL SELECT user_id FROM ids JOIN investment_withdrawals USING (id)
       UNION ALL ${PAYMENTS}) AS owners (user_id)
      WHERE user_id = $5 LIMIT 1`,
    [provider, movementKind, providerId, ourId, userId],
  );
  return own !== null;
}
