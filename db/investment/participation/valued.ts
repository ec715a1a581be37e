/** Simple interest at the expected rate on the principal in force until now, exactly as `simpleInterestMinor` rounds it. */
const accrued = (now: string): string => {
  const days = `greatest(0, floor(extract(epoch FROM least(${now}::timestamptz, p.matures_at) - p.started_at) / 86400))`;
  const exact = `((p.amount_minor - p.withdrawn_minor)::numeric * p.return_expected_bp * ${days})`;
  return `(sign(${exact}) * div(2 * abs(${exact}) + 3650000, 7300000))::bigint`;
};

/**
 * The returns of the participation `p` that its provider has not distributed yet, as `returnsOf` of
 * participation-returns.rules.ts says, for its owner and for administrators alike. `now` is an expression.
 */
export const pendingMinor = (now: string): string =>
  `(CASE WHEN p.status <> 'ACTIVE' THEN 0 ELSE greatest(0, ${accrued(now)} - p.earned_minor) END)`;

/**
 * The sum that was paid out of the participation `p`: principal while it runs; once it has ended its payouts and penalties, and the
 * profits that went to the wallet at once because they came later and its last payout did not include them.
 */
export const PAID_OUT = `(CASE WHEN p.started_at IS NULL THEN 0 WHEN p.ended_at IS NULL THEN p.withdrawn_minor ELSE
  (SELECT coalesce(sum(t.amount_minor), 0) FROM investment_transactions t
    WHERE t.participation_id = p.id AND t.type IN ('WITHDRAWAL', 'PENALTY'))
  + (SELECT coalesce(sum(t.amount_minor), 0) FROM investment_transactions t
      WHERE t.participation_id = p.id AND t.type = 'PROFIT' AND t.created_at > p.ended_at
        AND t.occurred_at > coalesce(p.payout_reported_at, '-infinity')) END)::bigint`;

/**
 * A participation with the figures that its columns do not have, as `p`: a FROM clause for the rows of `chosen`, which is a
 * condition on `p`. `now` is the placeholder of the time at which it is valued, such as `$1`.
 *
 * - `value_minor`: while it runs what its provider reported last, if no profit and no payout came after that, else
 *   principal in force and earned returns; before and after that 0.
 * - `paid_out_minor`: `PAID_OUT`.
 * - `returns_minor`: what it has earned or lost: `value_minor` + `paid_out_minor` − `amount_minor`; 0 before it runs.
 * - `pending_minor`: `pendingMinor`.
 */
export const valued = (chosen: string, now: string): string => `(
  SELECT q.*, CASE WHEN q.started_at IS NULL THEN 0 ELSE q.value_minor + q.paid_out_minor - q.amount_minor END AS returns_minor
  FROM (
    SELECT p.*, ${PAID_OUT} AS paid_out_minor,
      CASE WHEN p.status <> 'ACTIVE' THEN 0
           WHEN p.value_reported_at >= coalesce(moved.occurred_at, '-infinity') THEN p.reported_value_minor
           ELSE greatest(0, p.amount_minor - p.withdrawn_minor + p.earned_minor) END AS value_minor,
      ${pendingMinor(now)} AS pending_minor
    FROM participations p
      LEFT JOIN LATERAL (SELECT t.occurred_at FROM investment_transactions t
        WHERE p.value_reported_at IS NOT NULL AND t.participation_id = p.id AND t.type <> 'DEPOSIT'
        ORDER BY t.occurred_at DESC LIMIT 1) moved ON true
    WHERE ${chosen}) q)`;
