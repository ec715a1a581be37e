import { firstRow, type Tx } from '../../sql/query';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

/**
 * The number of movements of a participation, besides its deposit, that are dated on the day (UTC) of a time; all before its
 * start count as one day.
 */
export async function movementsOfDay(
  tx: Tx,
  participationId: string,
  { occurredAt, startedAt }: { occurredAt: Date; startedAt: Date | null },
): Promise<number> {
  const isEarly = startedAt !== null && occurredAt < startedAt;
  const day = Math.floor(occurredAt.getTime() / DAY_MS) * DAY_MS;
  const [from, to] = isEarly ? ['-infinity', startedAt] : [new Date(day), new Date(day + DAY_MS)];
  const counted = await firstRow<{ count: number }>(
    tx,
    `SELECT count(*)::int AS count FROM investment_transactions
     WHERE participation_id = $1 AND type <> 'DEPOSIT'
       AND occurred_at >= $2::timestamptz AND occurred_at < $3::timestamptz`,
    [participationId, from, to],
  );
  return counted?.count ?? 0;
}
