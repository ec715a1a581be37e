import { execute, type Tx } from '../../sql/query';
import { IS_PAYOUT } from '../portfolio/movements';

/** The months that a strategy shows at most. */
const MOST_MONTHS = 24;

/**
 * The principal of each strategy over time, as the CTE `levels`: `minor` from `at` until `until_at`. It rises by a participation
 * that begins, and falls by the parts that its provider pays out and by what is left of it at its end. `held` has the
 * participations that began before `$2` and did not end before `$1`: earlier ones neither raise nor lower anything from then on.
 */
const LEVELS = `held AS (
    SELECT id, strategy_id, amount_minor, started_at, ended_at, least(ended_at, $2) AS until_at
      FROM participations WHERE started_at < $2 AND (ended_at IS NULL OR ended_at >= $1)),
  parts AS (
    SELECT h.id, h.strategy_id, greatest(h.started_at, least(t.occurred_at, h.until_at)) AS at, t.amount_minor
      FROM held h JOIN investment_transactions t ON t.participation_id = h.id WHERE ${IS_PAYOUT}),
  steps AS (
    SELECT strategy_id, started_at AS at, amount_minor AS change_minor FROM held
    UNION ALL SELECT strategy_id, at, -amount_minor FROM parts
    UNION ALL SELECT h.strategy_id, h.ended_at,
        coalesce(p.minor, 0) - h.amount_minor
      FROM held h LEFT JOIN (SELECT id, sum(amount_minor) AS minor FROM parts GROUP BY id) p ON p.id = h.id
     WHERE h.ended_at < $2),
  levels AS (
    SELECT strategy_id, at, coalesce(lead(at) OVER course, $2) AS until_at, sum(sum(change_minor)) OVER course AS minor
      FROM steps GROUP BY strategy_id, at WINDOW course AS (PARTITION BY strategy_id ORDER BY at))`;

/** The returns of each strategy by month between `$1` and `$2`, as the CTE `returns`. */
const RETURNS = `${LEVELS},
  principal AS (
    SELECT l.strategy_id, m.month, sum(l.minor * o.seconds) / sum(o.seconds) AS average_minor
      FROM levels l
      JOIN LATERAL generate_series(date_trunc('month', greatest(l.at, $1) AT TIME ZONE 'UTC'),
        (l.until_at AT TIME ZONE 'UTC') - interval '1 microsecond', interval '1 month') AS m (month) ON l.until_at > $1
      CROSS JOIN LATERAL (SELECT extract(epoch FROM least(l.until_at AT TIME ZONE 'UTC', m.month + interval '1 month')
        - greatest(l.at AT TIME ZONE 'UTC', m.month)) AS seconds) o
     WHERE l.minor > 0 AND o.seconds > 0
     GROUP BY l.strategy_id, m.month),
  profits AS (
    SELECT h.strategy_id, date_trunc('month', p.at AT TIME ZONE 'UTC') AS month, sum(t.amount_minor) AS minor
      FROM held h JOIN investment_transactions t ON t.participation_id = h.id AND t.type = 'PROFIT'
      CROSS JOIN LATERAL (SELECT greatest(h.started_at,
        least(t.occurred_at, coalesce(h.ended_at - interval '1 microsecond', t.occurred_at))) AS at) p
     WHERE p.at >= $1 AND p.at < $2
     GROUP BY 1, 2),
  returns AS (
    SELECT strategy_id, jsonb_agg(jsonb_build_object('period', to_char(month, 'YYYY-MM'),
             'return', trim_scale(round(100 * coalesce(profits.minor, 0) / average_minor, 2))) ORDER BY month) AS by_month
      FROM principal LEFT JOIN profits USING (strategy_id, month) GROUP BY strategy_id)`;

/**
 * Sets the returns by month (UTC) of all strategies: the distributed profits less losses, over the principal on average over
 * the time of that month in which there was any, in percent with two decimals. They are those of the last 24 months that
 * have ended at `at`, without those in which a strategy held nothing; a profit counts in the month in which it occurred,
 * one that came after the end in that of the end. Returns the number of strategies whose returns have changed.
 */
export const refreshReturns = (tx: Tx, at: Date): Promise<number> => {
  const end = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
  const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - MOST_MONTHS));
  return execute(
    tx,
    `WITH ${RETURNS}
     UPDATE investment_strategies s SET historical_returns = coalesce(r.by_month, '[]')
       FROM investment_strategies of_all LEFT JOIN returns r ON r.strategy_id = of_all.id
      WHERE of_all.id = s.id AND s.historical_returns IS DISTINCT FROM coalesce(r.by_month, '[]')`,
    [start, end],
  );
};
