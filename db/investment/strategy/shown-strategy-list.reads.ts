import type { Attributes } from 'sequelize';
import type { StrategyStatus } from '../../../workflows/investment/strategy/strategy.rules';
import { rows, type Db } from '../../sql/query';
import type { Strategy } from './strategy.model';

/** Conditions on strategies; those left out do not apply. */
export interface StrategyFilter {
  categoryId?: string | undefined;
  status?: StrategyStatus | undefined;
  /** At least this much, and at most `maxMinor`: some amount between them may be put into the strategy. */
  minMinor?: number | undefined;
  maxMinor?: number | undefined;
  /** At least this expected annual rate. */
  minReturnBp?: number | undefined;
}

/** The order of a list of strategies; equal ones are in the order of their ids. */
export interface StrategyOrder {
  by: 'returnRate' | 'duration' | 'popularity' | 'createdAt';
  direction: 'asc' | 'desc';
}

/** A strategy in the lists of visitors; amounts in minor units, percentages in basis points. */
export type StrategyRow = Pick<
  Attributes<Strategy>,
  | ('id' | 'name' | 'slug' | 'shortDescription' | 'riskLevel' | 'status' | 'imageUrl' | 'createdAt')
  | ('returnMinBp' | 'returnMaxBp' | 'returnExpectedBp' | 'minDays' | 'maxDays')
  | ('minMinor' | 'maxMinor' | 'currency' | 'totalParticipants' | 'totalInvestedMinor')
  | ('commissionBp' | 'careerPointsBp')
> & { categoryId: string; categoryName: string };

/**
 * All but popularity are indexes: an index on a sum that every participation changes would cost each of them more than
 * it saves the few readers of that order.
 */
const SORT_KEYS: Record<StrategyOrder['by'], readonly string[]> = {
  returnRate: ['s.return_expected_bp'],
  duration: ['s.min_days', 's.max_days'],
  popularity: ['s.total_invested_minor'],
  createdAt: ['s.created_at'],
};

/** One page of the strategies, and the number of all that match, in one statement. */
export async function listStrategies(
  db: Db,
  filter: StrategyFilter,
  { by, direction }: StrategyOrder,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; strategies: StrategyRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const sorted = [...SORT_KEYS[by], 's.id'].map((key) => `${key} ${direction}`).join(', ');
  const found = await rows<({ total: number } & StrategyRow) | { total: number; id: null }>(
    db,
    `WITH page AS MATERIALIZED (
       SELECT s.* FROM investment_strategies s WHERE ${where}
       ORDER BY ${sorted} LIMIT ${bind(limit)} OFFSET ${bind(offset)}),
     total AS (SELECT count(*)::int AS total FROM investment_strategies s WHERE ${where})
     SELECT total.total, s.id, s.name, s.slug, s.short_description, s.risk_level, s.status, s.image_url, s.created_at,
       s.return_min_bp, s.return_max_bp, s.return_expected_bp, s.min_days, s.max_days, s.min_minor, s.max_minor,
       s.currency, s.total_participants, s.total_invested_minor, s.commission_bp, s.career_points_bp,
       c.id AS category_id, c.name AS category_name
     FROM total LEFT JOIN page s ON true LEFT JOIN investment_categories c ON c.id = s.category_id
     ORDER BY ${sorted}`,
    values,
  );
  const strategies = found.filter((row): row is { total: number } & StrategyRow => row.id !== null);
  return { total: found[0]?.total ?? 0, strategies };
}

function conditionsOf(
  { categoryId, status, minMinor, maxMinor, minReturnBp }: StrategyFilter,
  bind: (value: unknown) => string,
): string {
  const conditions = ['true'];
  if (categoryId !== undefined) conditions.push(`s.category_id = ${bind(categoryId)}::uuid`);
  if (status !== undefined) conditions.push(`s.status = ${bind(status)}`);
  if (minMinor !== undefined)
    conditions.push(`(s.max_minor IS NULL OR s.max_minor >= ${bind(minMinor)}::bigint)`);
  if (maxMinor !== undefined) conditions.push(`s.min_minor <= ${bind(maxMinor)}::bigint`);
  if (minMinor !== undefined && maxMinor !== undefined && minMinor > maxMinor) conditions.push('false');
  if (minReturnBp !== undefined) conditions.push(`s.return_expected_bp >= ${bind(minReturnBp)}::int`);
  return conditions.join(' AND ');
}
