import {
  DAY_MINUTES,
  OF_RANGES,
  QUARTER_MINUTES,
  THIRTY_DAYS_MINUTES,
} from '../../../workflows/administration/analytics/figures.rules';
import { firstRow, type Tx } from '../../sql/query';

/** The numbers of facts that one batch took, and of rollups that it changed. */
export interface RolledUp {
  facts: number;
  rollups: number;
}

/** The spans that a quarter of an hour `q` of a figure is in. A fragment. */
const SPANS = `
  SELECT ${QUARTER_MINUTES}, q.starts_at
  UNION ALL SELECT ${THIRTY_DAYS_MINUTES}, date_bin('30 days', q.starts_at, 'epoch')
  UNION ALL SELECT ${DAY_MINUTES}, day FROM generate_series(q.starts_at - interval '23:45', q.starts_at, interval '15 minutes') AS day
    WHERE split_part(q.figure, '.', 1) <> ALL ('${OF_RANGES}') OR day = date_bin('1 day', day, 'epoch')`;

/**
 * Moves the oldest facts that nobody else is moving from `analytics_changes` into the rollups of every span, in one statement:
 * a reader sees each fact in one of the two tables. Rollups are locked in one order, so that two at once wait for each other.
 */
export async function rollUpChanges(tx: Tx, limit: number): Promise<RolledUp> {
  const done = await firstRow<RolledUp>(
    tx,
    `WITH taken AS (
       DELETE FROM analytics_changes WHERE id IN (
         SELECT id FROM analytics_changes ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING figure, starts_at, currency, part, occurrences, amount_minor, seconds
     ), quarters AS (
       SELECT figure, starts_at, currency, part, sum(occurrences) AS occurrences, sum(amount_minor) AS amount_minor,
              sum(seconds) AS seconds
         FROM taken GROUP BY 1, 2, 3, 4
     ), changed AS (
       INSERT INTO analytics_rollups AS r
         (span_minutes, starts_at, figure, part, currency, occurrences, amount_minor, seconds)
       SELECT span.minutes, span.starts_at, figure, part, currency, sum(occurrences), sum(amount_minor), sum(seconds)
         FROM quarters q CROSS JOIN LATERAL (${SPANS}) AS span (minutes, starts_at)
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT ON CONSTRAINT analytics_rollups_pkey DO UPDATE SET
         occurrences = r.occurrences + EXCLUDED.occurrences, amount_minor = r.amount_minor + EXCLUDED.amount_minor,
         seconds = r.seconds + EXCLUDED.seconds
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM taken)::int AS facts, (SELECT count(*) FROM changed)::int AS rollups`,
    [limit],
  );
  return done ?? { facts: 0, rollups: 0 };
}
