import { PAID_OUT } from '../participation/valued';

/** The condition that the transaction `t` paid something out of the participation `h` before its end. */
export const IS_PAYOUT = `(t.type IN ('WITHDRAWAL', 'PENALTY') AND (h.ended_at IS NULL OR t.created_at < h.ended_at))`;

/** A user's participations that began, as the CTE `held`, with the money that moved into the portfolio and out of it at the end. */
export const HELD = `held AS (
    SELECT h.*, h.paid_out_minor - coalesce(renewed.amount_minor, 0) - (
             SELECT coalesce(sum(t.amount_minor), 0)::bigint FROM investment_transactions t
              WHERE t.participation_id = h.id AND ${IS_PAYOUT} AND h.ended_at IS NOT NULL) AS paid_at_end_minor
      FROM (SELECT p.id, p.strategy_id, p.started_at, coalesce(p.ended_at, $2::timestamptz) AS until_at, p.ended_at,
                   p.amount_minor, p.withdrawn_minor, ${PAID_OUT} AS paid_out_minor,
                   CASE WHEN p.reinvested_from_id IS NULL THEN p.amount_minor ELSE 0 END AS put_in_minor
              FROM participations p WHERE p.user_id = $1 AND p.started_at IS NOT NULL) h
      LEFT JOIN participations renewed ON renewed.reinvested_from_id = h.id)`;

/**
 * The course of a user's portfolio as CTEs: `moves` has a row for each event that changed the value of a participation or
 * moved money into or out of it, with these columns:
 *
 * - `on_day`: the UTC date, never after `$2`.
 * - `delta_minor`: the change of the value of the participation, as `valued` defines it.
 * - `in_minor`, `out_minor`: principal that was put in, and what was paid out. What moved from one participation into
 *   another when that one was renewed is neither.
 *
 * What was booked after the end counts on the day of the end. `$1` is the user, `$2` the time.
 */
export const MOVEMENTS = `${HELD},
  happened AS (
    SELECT h.id, h.strategy_id, h.started_at AS at, h.started_at AS said_at, 0 AS rank, h.amount_minor AS book_minor,
           NULL::bigint AS value_minor, h.put_in_minor AS in_minor, 0::bigint AS out_minor
      FROM held h
    UNION ALL
    SELECT h.id, h.strategy_id, greatest(h.started_at, least(t.occurred_at, h.until_at)), t.occurred_at, 1,
           CASE WHEN t.type = 'PROFIT' THEN t.amount_minor ELSE -t.amount_minor END, NULL, 0,
           CASE WHEN t.type = 'PROFIT' THEN 0 ELSE t.amount_minor END
      FROM investment_transactions t JOIN held h ON h.id = t.participation_id
     WHERE t.user_id = $1 AND (t.type = 'PROFIT' OR ${IS_PAYOUT})
    UNION ALL
    SELECT h.id, h.strategy_id, greatest(h.started_at, least(v.reported_at, h.until_at)), v.reported_at, 2, 0,
           v.value_minor, 0, 0
      FROM held h JOIN participation_values v ON v.participation_id = h.id
     WHERE h.ended_at IS NULL OR v.reported_at <= h.ended_at
    UNION ALL
    SELECT h.id, h.strategy_id, h.ended_at, h.ended_at, 3, 0, 0, 0, h.paid_at_end_minor
      FROM held h WHERE h.ended_at IS NOT NULL),
  standing AS (
    SELECT e.*, coalesce(e.value_minor, greatest(0, sum(e.book_minor) OVER course)) AS now_minor
      FROM happened e
    WINDOW course AS (PARTITION BY e.id ORDER BY e.at, e.rank = 3, e.rank > 0, e.said_at, e.rank ROWS UNBOUNDED PRECEDING)),
  moves AS (
    SELECT strategy_id, (at AT TIME ZONE 'UTC')::date AS on_day, in_minor, out_minor,
           now_minor - lag(now_minor, 1, 0) OVER (PARTITION BY id ORDER BY at, rank = 3, rank > 0, said_at, rank)
             AS delta_minor
      FROM standing)`;
