import type { RiskLevel } from '../../../workflows/investment/strategy/strategy.rules';
import { rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { LISTED, type ParticipationRow } from '../participation/participation.reads';
import { valued } from '../participation/valued';
import { HELD, IS_PAYOUT } from './movements';

/** The holding of a user in one strategy, in minor units. */
export interface StrategyHolding {
  strategyId: string;
  strategyName: string;
  riskLevel: RiskLevel;
  categoryId: string;
  categoryName: string;
  /** Participations that run. */
  active: number;
  /** Their principal in force. */
  principalMinor: number;
  valueMinor: number;
  /** Principal of all that ever began, without what moved from one participation into another. */
  investedMinor: number;
  returnsMinor: number;
  pendingMinor: number;
  /** Value of those that run beyond principal and distributed returns. */
  unrealizedMinor: number;
}

/** The holdings of a user in each strategy at a time, ended ones too, by the name of the strategy. */
export const holdingsOf = (db: Db, userId: string, now: Date): Promise<StrategyHolding[]> =>
  rows<StrategyHolding>(
    db,
    `SELECT s.id AS strategy_id, s.name AS strategy_name, s.risk_level, c.id AS category_id, c.name AS category_name,
            h.active, h.principal_minor, h.value_minor, h.invested_minor, h.returns_minor, h.pending_minor,
            h.unrealized_minor
       FROM (
         SELECT p.strategy_id, count(*) FILTER (WHERE p.status = 'ACTIVE')::int AS active,
           coalesce(sum(p.amount_minor - p.withdrawn_minor) FILTER (WHERE p.status = 'ACTIVE'), 0)::bigint AS principal_minor,
           sum(p.value_minor)::bigint AS value_minor,
           coalesce(sum(p.amount_minor) FILTER (WHERE p.reinvested_from_id IS NULL), 0)::bigint AS invested_minor,
           sum(p.returns_minor)::bigint AS returns_minor,
           sum(p.pending_minor)::bigint AS pending_minor,
           coalesce(sum(p.returns_minor - p.earned_minor) FILTER (WHERE p.status = 'ACTIVE'), 0)::bigint AS unrealized_minor
         FROM ${valued('p.user_id = $1 AND p.started_at IS NOT NULL', '$2')} p GROUP BY p.strategy_id) h
       JOIN investment_strategies s ON s.id = h.strategy_id
       JOIN investment_categories c ON c.id = s.category_id
       ORDER BY ${byName('s.name')}, s.id`,
    [userId, now],
  );

/** The participations of a user that mature next. */
export const maturingNext = (db: Db, userId: string, limit: number): Promise<ParticipationRow[]> =>
  rows<ParticipationRow>(
    db,
    `SELECT ${LISTED} FROM participations p JOIN investment_strategies s ON s.id = p.strategy_id
      WHERE p.user_id = $1 AND p.status = 'ACTIVE' ORDER BY p.matures_at, p.id LIMIT $2`,
    [userId, limit],
  );

/** A day (UTC) on which money moved into or out of a portfolio, in minor units. */
export interface FlowDay {
  /** ISO 8601 date. */
  date: string;
  inMinor: number;
  outMinor: number;
}

/** All days with such flows until now, in order. Profits are no flows, so that their number does not matter. */
export const flowDaysOf = (db: Db, userId: string, now: Date): Promise<FlowDay[]> =>
  rows<FlowDay>(
    db,
    `WITH ${HELD},
       flows AS (
         SELECT h.started_at AS at, h.put_in_minor AS in_minor, 0::bigint AS out_minor FROM held h
         UNION ALL
         SELECT h.ended_at, 0, h.paid_at_end_minor FROM held h WHERE h.ended_at IS NOT NULL
         UNION ALL
         SELECT greatest(h.started_at, least(t.occurred_at, h.until_at)), 0, t.amount_minor
           FROM held h JOIN investment_transactions t ON t.participation_id = h.id AND ${IS_PAYOUT}
          WHERE h.withdrawn_minor > 0)
     SELECT to_char((at AT TIME ZONE 'UTC')::date, 'YYYY-MM-DD') AS date,
            sum(in_minor)::bigint AS in_minor, sum(out_minor)::bigint AS out_minor
       FROM flows GROUP BY 1 ORDER BY 1`,
    [userId, now],
  );
