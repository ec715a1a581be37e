const SUMS = 'sum(occurrences) AS occurrences, sum(amount_minor) AS amount_minor, sum(seconds) AS seconds';

/** Figures that are summed over whole ranges. */
const OF_RANGES = `'{category,method,rank,reason,status,strategy}'`;

/**
 * The facts up to now. Of a figure and part, a day that begins with a quarter of an hour is the sum of the quarters from that on:
 * all of them are taken, from a day before the first fact to the last.
 */
const ROLL_UP = `
  INSERT INTO analytics_rollups (span_minutes, starts_at, figure, part, currency, occurrences, amount_minor, seconds)
  WITH quarters AS MATERIALIZED (
    SELECT figure, part, currency, date_bin('15 minutes', at, 'epoch') AS starts_at, ${SUMS}
      FROM analytics_facts GROUP BY 1, 2, 3, 4
  ), days AS (
    SELECT figure, part, currency, starts_at, sum(quarters) OVER day AS quarters, sum(occurrences) OVER day AS occurrences,
           sum(amount_minor) OVER day AS amount_minor, sum(seconds) OVER day AS seconds
      FROM (
        SELECT figure, part, currency, starts_at, sum(quarters) AS quarters, ${SUMS} FROM (
          SELECT figure, part, currency, starts_at, 1 AS quarters, occurrences, amount_minor, seconds FROM quarters
          UNION ALL
          SELECT figure, part, currency, generate_series(min(starts_at) - interval '23:45', max(starts_at), interval '15 minutes'),
                 0, 0, 0, 0 FROM quarters GROUP BY 1, 2, 3
        ) AS every WHERE split_part(figure, '.', 1) <> ALL (${OF_RANGES}) GROUP BY 1, 2, 3, 4
      ) AS summed
    WINDOW day AS (PARTITION BY figure, part, currency ORDER BY starts_at ROWS BETWEEN CURRENT ROW AND 95 FOLLOWING)
  )
  SELECT 15, starts_at, figure, part, currency, occurrences, amount_minor, seconds FROM quarters
  UNION ALL
  SELECT 43200, date_bin('30 days', starts_at, 'epoch'), figure, part, currency, ${SUMS} FROM quarters GROUP BY 2, 3, 4, 5
  UNION ALL
  SELECT 1440, starts_at, figure, part, currency, occurrences, amount_minor, seconds FROM days WHERE quarters > 0
  UNION ALL
  SELECT 1440, date_bin('1 day', starts_at, 'epoch'), figure, part, currency, ${SUMS}
    FROM quarters WHERE split_part(figure, '.', 1) = ANY (${OF_RANGES}) GROUP BY 2, 3, 4, 5`;

/** Excludes the job, which would else add facts between the snapshot and the count. Readers do not wait. */
const LOCK = 'LOCK TABLE analytics_rollups IN SHARE ROW EXCLUSIVE MODE';

/**
 * Counts everything anew, when a check finds that rollups are wrong. Its caller begins the transaction and locks the table:
 * the first query takes the snapshot, so a lock within the function would come after it.
 */
export const COUNT_AGAIN = `
  CREATE FUNCTION analytics_count_again() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('transaction_isolation') <> 'repeatable read' THEN
      RAISE EXCEPTION 'facts and what is kept of them must be seen at one moment: begin with ISOLATION LEVEL REPEATABLE READ';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'analytics_rollups'::regclass
                     AND mode = 'ShareRowExclusiveLock' AND granted) THEN
      RAISE EXCEPTION 'analytics-rollup could add facts meanwhile: before any query, ${LOCK}';
    END IF;
    DELETE FROM analytics_changes;
    DELETE FROM analytics_rollups;
    ${ROLL_UP};
  END $$`;
