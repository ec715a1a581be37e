import { execute, firstRow, type Tx } from '../../sql/query';
import type { DifferenceRow } from './investment-difference.reads';

/** A difference, locked until the transaction ends, with the owner of its participation; null when there is none. */
export const lockDifference = (
  tx: Tx,
  id: string,
): Promise<(DifferenceRow & { ownerId: string | null }) | null> =>
  firstRow(
    tx,
    `SELECT d.*, p.number, p.user_id AS owner_id
       FROM investment_differences d LEFT JOIN participations p ON p.id = d.participation_id
      WHERE d.id = $1 FOR UPDATE OF d`,
    [id],
  );

/** Accepts a locked, open difference as it is. Until it opens again it counts in no figure. */
export async function acceptDifference(
  tx: Tx,
  { id, reason, by, at }: { id: string; reason: string; by: string; at: Date },
): Promise<void> {
  await execute(
    tx,
    'UPDATE investment_differences SET accepted_at = $2, accepted_by = $3, accepted_because = $4 WHERE id = $1',
    [id, at, by, reason],
  );
}
