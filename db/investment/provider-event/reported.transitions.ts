import { execute, firstRow, rows, type Tx } from '../../sql/query';

/**
 * The participation of a locked user that a report without its id is about, locked: the oldest of this strategy and amount
 * that runs or waits for its payment and is not reported yet. One that runs comes first: its money was passed on to the
 * provider, whereas that of an unpaid one would be made by the report. Where there is none, one that has ended, so that its
 * money is not made twice: up to its end, or for a week after its start, since a provider may begin later; the nearest start
 * first.
 */
export async function lockUnreported(
  tx: Tx,
  of: { userId: string; strategyId: string; amountMinor: number; startDate: Date },
): Promise<string | null> {
  const candidates = `FROM participations
     WHERE user_id = $1 AND strategy_id = $2 AND amount_minor = $3 AND external_id IS NULL AND status <> 'CANCELLED'
       AND (ended_at IS NULL OR $4::timestamptz <= greatest(ended_at, started_at + interval '7 days'))`;
  const values = [of.userId, of.strategyId, of.amountMinor, of.startDate];
  // Chosen once all are locked: until then one may be paid, or expire.
  await rows(tx, `SELECT id ${candidates} ORDER BY id FOR NO KEY UPDATE`, values);
  const found = await firstRow<{ id: string }>(
    tx,
    `SELECT id ${candidates}
     ORDER BY ended_at IS NOT NULL, CASE WHEN ended_at IS NOT NULL THEN abs(extract(epoch FROM started_at - $4::timestamptz)) END,
       status = 'PENDING_PAYMENT', created_at, id LIMIT 1`,
    values,
  );
  return found?.id ?? null;
}

/** Gives our own payout of a locked participation the provider's id; one of nothing has no transaction. */
export async function confirmPayout(tx: Tx, participationId: string, externalId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE investment_transactions SET external_id = $2
     WHERE participation_id = $1 AND type = 'WITHDRAWAL' AND external_id IS NULL`,
    [participationId, externalId],
  );
}
