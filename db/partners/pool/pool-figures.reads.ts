import { firstRow, type Tx } from '../../sql/query';

/** Closed periods of the leadership pools that have no completed run. */
export interface PoolFigures {
  /** Time since the end of the oldest one; 0: there is none. */
  oldestDueSeconds: number;
}

/** The periods of a kind from that in which the first partner joined to the one that closed last; as `startPools` has it. */
const CLOSED = (kind: 'WEEKLY' | 'MONTHLY', unit: 'week' | 'month'): string => `
  SELECT '${kind}' AS kind, starts_at AT TIME ZONE 'UTC' AS starts_at,
         (starts_at + interval '1 ${unit}') AT TIME ZONE 'UTC' AS ends_at
    FROM generate_series(
      date_trunc('${unit}', (SELECT min(joined_at) FROM partners) AT TIME ZONE 'UTC'),
      date_trunc('${unit}', now() AT TIME ZONE 'UTC') - interval '1 ${unit}', interval '1 ${unit}') AS starts_at`;

export async function poolFigures(tx: Tx): Promise<PoolFigures> {
  const figures = await firstRow<PoolFigures>(
    tx,
    `SELECT coalesce(extract(epoch FROM now() - min(c.ends_at)), 0)::float8 AS oldest_due_seconds
       FROM (${CLOSED('WEEKLY', 'week')} UNION ALL ${CLOSED('MONTHLY', 'month')}) c
      WHERE NOT EXISTS (SELECT 1 FROM pool_runs r
        WHERE r.kind = c.kind AND r.starts_at = c.starts_at AND r.status = 'COMPLETED')`,
  );
  return figures ?? { oldestDueSeconds: 0 };
}
