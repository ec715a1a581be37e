import { rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { MOVEMENTS } from './movements';

/** A day (UTC) on which something changed, in minor units; the sums are those until its end. */
export interface CourseDay {
  /** ISO 8601 date. */
  date: string;
  valueMinor: number;
  inMinor: number;
  outMinor: number;
  investedMinor: number;
  paidOutMinor: number;
}

/** All days on which something changed in a user's portfolio until now, in order. */
export const courseOf = (db: Db, userId: string, now: Date): Promise<CourseDay[]> =>
  rows<CourseDay>(
    db,
    `WITH ${MOVEMENTS},
       days AS (SELECT on_day, sum(delta_minor) AS delta_minor, sum(in_minor) AS in_minor, sum(out_minor) AS out_minor
                  FROM moves GROUP BY on_day)
     SELECT to_char(on_day, 'YYYY-MM-DD') AS date, in_minor::bigint, out_minor::bigint,
            (sum(delta_minor) OVER course)::bigint AS value_minor,
            (sum(in_minor) OVER course)::bigint AS invested_minor, (sum(out_minor) OVER course)::bigint AS paid_out_minor
       FROM days WINDOW course AS (ORDER BY on_day) ORDER BY on_day`,
    [userId, now],
  );

/** A strategy in a period, in minor units. */
export interface StrategyCourse {
  strategyId: string;
  strategyName: string;
  startValueMinor: number;
  endValueMinor: number;
  inMinor: number;
  outMinor: number;
}

/** The strategies in which a user has or had money since a day, by name. */
export const strategyCourses = (
  db: Db,
  userId: string,
  now: Date,
  firstDay: string,
): Promise<StrategyCourse[]> =>
  rows<StrategyCourse>(
    db,
    `WITH ${MOVEMENTS}
     SELECT s.id AS strategy_id, s.name AS strategy_name, of_one.start_value_minor, of_one.end_value_minor,
            of_one.in_minor, of_one.out_minor
       FROM (SELECT strategy_id, coalesce(sum(delta_minor) FILTER (WHERE on_day < $3::date), 0)::bigint AS start_value_minor,
                    sum(delta_minor)::bigint AS end_value_minor,
                    coalesce(sum(in_minor) FILTER (WHERE on_day >= $3::date), 0)::bigint AS in_minor,
                    coalesce(sum(out_minor) FILTER (WHERE on_day >= $3::date), 0)::bigint AS out_minor,
                    max(on_day) AS last_day
               FROM moves GROUP BY strategy_id) of_one
       JOIN investment_strategies s ON s.id = of_one.strategy_id
      WHERE of_one.start_value_minor <> 0 OR of_one.end_value_minor <> 0 OR of_one.last_day >= $3::date
      ORDER BY ${byName('s.name')}, s.id`,
    [userId, now, firstDay],
  );

/** A transaction of a portfolio, for its course. */
export interface PortfolioTransaction {
  type: 'DEPOSIT' | 'PROFIT' | 'WITHDRAWAL' | 'PENALTY';
  amountMinor: number;
  occurredAt: Date;
  strategyName: string;
}

/** The newest transactions of a user since a day, newest first. */
export const portfolioTransactions = (
  db: Db,
  userId: string,
  firstDay: string,
  limit: number,
): Promise<PortfolioTransaction[]> =>
  rows<PortfolioTransaction>(
    db,
    `SELECT t.type, t.amount_minor, t.occurred_at, s.name AS strategy_name
       FROM (SELECT * FROM investment_transactions WHERE user_id = $1 AND occurred_at >= $2::date::timestamp AT TIME ZONE 'UTC'
              ORDER BY occurred_at DESC, id DESC LIMIT $3) t
       JOIN participations p ON p.id = t.participation_id JOIN investment_strategies s ON s.id = p.strategy_id
      ORDER BY t.occurred_at DESC, t.id DESC`,
    [userId, firstDay, limit],
  );
