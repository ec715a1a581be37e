import type { Violating } from '../../../support/checks/guards';

const runs = (change: string): string => `UPDATE pool_runs SET ${change}`;
const shared = (change: string): string => `UPDATE pool_shares SET ${change} WHERE takes_part`;
const left = (change: string): string => `UPDATE pool_shares SET ${change} WHERE NOT takes_part`;

/** Of the leadership pools. */
export const violatingPools: Violating = {
  pool_runs_amounts_check: [
    runs('distributed_minor = -1'),
    runs('distributed_minor = pool_minor + 1'),
    runs('denominator = -1'),
    runs('participants = -1'),
    runs('participants = 0'),
    runs('denominator = 0'),
    runs('participants = 0, denominator = 0'),
  ],
  pool_runs_completed_check: [runs('completed_at = NULL'), runs(`status = 'PAYING'`)],
  pool_runs_kind_check: [runs(`kind = 'DAILY'`)],
  pool_runs_period_key: [runs(`period = '2026-W01'`)],
  pool_runs_previous_key: [runs('previous_run_id = NULL')],
  pool_runs_status_check: [runs(`status = 'LOST', completed_at = NULL`)],
  pool_runs_times_check: [runs('ends_at = starts_at'), runs(`counted_at = ends_at - interval '1 second'`)],
  pool_shares_amount_check: [
    shared('amount_minor = -1'),
    shared('amount_minor = 0'),
    shared('commission_id = NULL'),
    shared('takes_part = false'),
    left('amount_minor = 1, commission_id = gen_random_uuid()'),
    left('paid_at = now()'),
  ],
  pool_shares_commission_key: [shared(`commission_id = '00000000-0000-7000-8000-000000000000'`)],
  pool_shares_legs_check: [shared('legs = -1')],
  pool_shares_volume_check: [
    shared('largest_leg_minor = -1, qualified_minor = volume_minor'),
    shared('largest_leg_minor = volume_minor + 1, qualified_minor = -2'),
    shared('qualified_minor = qualified_minor + 1'),
    shared('qualified_minor = qualified_minor - 1'),
  ],
  pool_shares_weight_check: [shared('weight = 0')],
};
