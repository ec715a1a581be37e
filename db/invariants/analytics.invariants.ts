import {
  DAY_MINUTES,
  OF_RANGES,
  QUARTER_MINUTES,
} from '../../workflows/administration/analytics/figures.rules';
import type { Invariant } from './invariant';

/**
 * The days that one check compares, since all of them would take minutes: the last in UTC that is over, and one before it, which
 * begins with another quarter of an hour each hour.
 */
const DAYS = `last AS MATERIALIZED (
    SELECT date_bin('1 day', overdue, 'epoch') - interval '1 day' AS starts_at, extract(epoch FROM overdue)::bigint / 3600 AS hour
      FROM clock
  ), other AS MATERIALIZED (
    SELECT least(l.starts_at, date_bin('1 day', r.first, 'epoch') + l.hour * 2654435761
             % (1 + greatest(0, extract(epoch FROM l.starts_at - r.first)::bigint / 900)) * interval '15 minutes') AS starts_at
      FROM last l, (SELECT min(starts_at) AS first FROM analytics_rollups WHERE span_minutes = ${QUARTER_MINUTES}) AS r
  )`;

const KEY = 'figure, currency, part, span';
const SUMS = `sum(occurrences) AS occurrences, sum(amount_minor) AS amount_minor, sum(seconds) AS seconds`;
const BOTH = `CROSS JOIN unnest('{${QUARTER_MINUTES},${DAY_MINUTES}}'::int[]) AS span`;

/** The facts of a day, and what rollups of each span and the facts that are not yet in them come to. */
function compared(day: string): string {
  const start = `(SELECT starts_at FROM ${day})`;
  const within = (column: string): string =>
    `${column} >= ${start} AND ${column} < ${start} + interval '1 day'`;
  return `
  SELECT ${KEY}, ${start} AS day, s.occurrences, s.amount_minor, s.seconds, r.occurrences AS rolled,
         r.amount_minor AS rolled_minor, r.seconds AS rolled_seconds
    FROM (SELECT ${KEY}, ${SUMS} FROM analytics_facts ${BOTH} WHERE ${within('at')} GROUP BY ${KEY}) AS s
    FULL JOIN (SELECT ${KEY}, ${SUMS} FROM (
        SELECT *, span_minutes AS span FROM analytics_rollups
         WHERE (span_minutes = ${QUARTER_MINUTES} AND ${within('starts_at')})
            OR (span_minutes = ${DAY_MINUTES} AND starts_at = ${start})
        UNION ALL
        SELECT span, starts_at, figure, part, currency, occurrences, amount_minor, seconds, span
          FROM analytics_changes ${BOTH} WHERE ${within('starts_at')}
      ) AS rolled GROUP BY ${KEY}) AS r USING (${KEY})
   WHERE span = ${QUARTER_MINUTES} OR split_part(figure, '.', 1) <> ALL ('${OF_RANGES}') OR ${start} = date_bin('1 day', ${start}, 'epoch')`;
}

/** Rules of the figures that administrators read. */
export const analyticsInvariants: readonly Invariant[] = [
  {
    id: 'analytics.equal-their-source',
    says: 'The rollups of a day are the sums of its facts, by every span; of the last day that is over and of one before it.',
    sql: `WITH ${DAYS}
      SELECT DISTINCT concat_ws(' ', figure, NULLIF(part, ''), 'from', to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'))
             AS entity,
             format('%s of %s, %s s; counted by %s minutes: %s of %s, %s s', coalesce(occurrences, 0), coalesce(amount_minor, 0),
               coalesce(seconds, 0), span, coalesce(rolled, 0), coalesce(rolled_minor, 0), coalesce(rolled_seconds, 0)) AS detail
        FROM (${compared('last')} UNION ALL ${compared('other')}) AS days
       WHERE (coalesce(occurrences, 0), coalesce(amount_minor, 0), coalesce(seconds, 0))
         IS DISTINCT FROM (coalesce(rolled, 0), coalesce(rolled_minor, 0), coalesce(rolled_seconds, 0))`,
  },
  {
    id: 'partner-states.have-their-history',
    says: 'The status and the rank of a partner are those after the last kept change, and each change begins with what the one before it left.',
    sql: `WITH changes AS (
        SELECT *, lag(to_status) OVER history AS left_status, lag(to_level) OVER history AS left_level,
               lead(id) OVER history IS NULL AS is_last
          FROM partner_state_changes WINDOW history AS (PARTITION BY partner_id ORDER BY id)
      )
      SELECT partner_id AS entity, format('%s, rank %s, after %s, rank %s', from_status, from_level, left_status, left_level) AS detail
        FROM changes WHERE (from_status, from_level) IS DISTINCT FROM (left_status, left_level)
      UNION ALL
      SELECT p.id, format('%s, rank %s; kept: %s, rank %s', p.status, s.rank_level, c.to_status, c.to_level)
        FROM partners p JOIN partner_standings s ON s.partner_id = p.id
        LEFT JOIN changes c ON c.partner_id = p.id AND c.is_last
       WHERE (c.to_status, c.to_level) IS DISTINCT FROM (p.status, s.rank_level)`,
  },
];
