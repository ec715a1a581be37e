import { v7 } from 'uuid';
import { dayOf } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { execute, type Tx } from '../../sql/query';

/** A transfer by which a provider has sent money that is not booked as sent by it. */
export interface LateArrival {
  provider: string;
  transferId: string;
  amountMinor: number;
  currency: string;
  /** The id of the payout or the withdrawal. */
  subjectId: string;
}

/**
 * Records that money has left that is not booked as sent, as a difference with its provider, which operators are told of and which
 * stops payouts until a person has resolved it. The same transfer again is the same difference, also when a comparison finds it.
 */
export async function recordLateArrival(
  tx: Tx,
  { provider, transferId, amountMinor, currency, subjectId }: LateArrival,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO reconciliation_differences (id, provider, day, kind, movement_kind, provider_id, our_id, their_minor,
       their_currency, found_at, last_seen_at)
     SELECT $1, $2, $3, 'MISSING_HERE', 'TRANSFER_OUT', $4, $5, $6, $7, $8, $8
      WHERE NOT EXISTS (SELECT 1 FROM reconciliation_differences d WHERE d.provider = $2 AND d.kind = 'MISSING_HERE'
        AND d.movement_kind = 'TRANSFER_OUT' AND d.provider_id = $4)
     ON CONFLICT ON CONSTRAINT reconciliation_differences_key DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [v7(), provider, dayOf(at), transferId, subjectId, amountMinor, currency, at],
  );
}
