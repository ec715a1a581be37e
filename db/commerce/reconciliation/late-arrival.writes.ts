import { v7 } from 'uuid';
import { dayOf } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { execute, rows, type Tx } from '../../sql/query';

/** Money that a provider has sent and that is not booked as sent by it. */
export interface Unbooked {
  provider: string;
  movementKind: 'TRANSFER_OUT' | 'REFUND';
  /** The provider's own id of it. */
  providerId: string;
  amountMinor: number;
  currency: string;
  /** The id of our row that it is of; null: there is none. */
  ourId: string | null;
}

/** A transfer by which a provider has sent money that is not booked as sent by it. */
export interface LateArrival {
  provider: string;
  transferId: string;
  amountMinor: number;
  currency: string;
  /** The id of the payout or the withdrawal. */
  subjectId: string;
}

/** Records a transfer of a payout or a withdrawal that is not booked as sent. */
export async function recordLateArrival(
  tx: Tx,
  { transferId: providerId, subjectId: ourId, ...money }: LateArrival,
  at: Date,
): Promise<void> {
  await recordUnbooked(tx, { ...money, movementKind: 'TRANSFER_OUT', providerId, ourId }, at);
}

/**
 * Records that money has left that is not booked as sent, as a difference with its provider, which operators are told of and which
 * stops payouts until a person has resolved it. The same money again is the same difference, also when a comparison finds it: false
 * then.
 */
export async function recordUnbooked(
  tx: Tx,
  { provider, movementKind, providerId, amountMinor, currency, ourId }: Unbooked,
  at: Date,
): Promise<boolean> {
  const recorded = await rows<{ isNew: boolean }>(
    tx,
    `INSERT INTO reconciliation_differences (id, provider, day, kind, movement_kind, provider_id, our_id, their_minor,
       their_currency, found_at, last_seen_at)
     SELECT $1, $2, $3, 'MISSING_HERE', $9, $4, $5, $6, $7, $8, $8
      WHERE NOT EXISTS (SELECT 1 FROM reconciliation_differences d WHERE d.provider = $2 AND d.kind = 'MISSING_HERE'
        AND d.movement_kind = $9 AND d.provider_id = $4)
     ON CONFLICT ON CONSTRAINT reconciliation_differences_key DO UPDATE SET last_seen_at = excluded.last_seen_at
     RETURNING id = $1 AS is_new`,
    [v7(), provider, dayOf(at), providerId, ourId, amountMinor, currency, at, movementKind],
  );
  return recorded.some(({ isNew }) => isNew);
}

/**
 * Resolves the difference of unbooked money that is booked now for our row, also one that a person has resolved before; false when there
 * is none of this amount, or it was booked for another row.
 */
export async function resolveUnbooked(
  tx: Tx,
  { provider, movementKind, providerId, amountMinor, currency, ourId }: Unbooked,
  at: Date,
): Promise<boolean> {
  const resolved = await execute(
    tx,
    `UPDATE reconciliation_differences SET resolved_at = coalesce(resolved_at, $6), our_id = $7
      WHERE provider = $1 AND kind = 'MISSING_HERE' AND movement_kind = $2 AND provider_id = $3 AND our_id IS NULL
        AND their_minor = $4 AND their_currency = $5 AND (resolved_at IS NULL OR resolved_by IS NOT NULL)`,
    [provider, movementKind, providerId, amountMinor, currency, at, ourId],
  );
  return resolved === 1;
}
