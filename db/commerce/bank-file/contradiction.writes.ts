import { v7 } from 'uuid';
import { bankName } from '../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { dayOf } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { execute, type Tx } from '../../sql/query';

/** A transfer that has ended here, and otherwise by a later report of the bank. */
interface ContradictedTransfer {
  id: string;
  reported: 'ARRIVED' | 'REFUSED';
}

/**
 * Records contradictions of the bank as differences, which operators are told of and which stop payouts until a person has
 * resolved them: money that has left although it is refused here (MISSING_HERE), or the reverse (MISSING_THERE). One that
 * is reported again is the same.
 */
export async function recordContradictions(
  tx: Tx,
  contradicted: readonly ContradictedTransfer[],
  at: Date,
): Promise<void> {
  if (contradicted.length === 0) return;
  await execute(
    tx,
    `INSERT INTO reconciliation_differences (id, provider, day, kind, movement_kind, provider_id, our_id, our_minor,
       our_currency, their_minor, their_currency, found_at, last_seen_at)
     SELECT c.id, 'bank-file', $5, CASE WHEN has_left THEN 'MISSING_HERE' ELSE 'MISSING_THERE' END, 'TRANSFER_OUT', c.name,
       coalesce(t.subject_id::text, t.key), CASE WHEN NOT has_left THEN t.amount_minor END,
       CASE WHEN NOT has_left THEN t.currency END, CASE WHEN has_left THEN t.amount_minor END,
       CASE WHEN has_left THEN t.currency END, $6, $6
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) AS c (id, transfer_id, name, has_left)
       JOIN bank_file_transfers t ON t.id = c.transfer_id
     ON CONFLICT ON CONSTRAINT reconciliation_differences_key DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [
      contradicted.map(() => v7()),
      contradicted.map(({ id }) => id),
      contradicted.map(({ id }) => bankName(id)),
      contradicted.map(({ reported }) => reported === 'ARRIVED'),
      dayOf(at),
      at,
    ],
  );
}
