import type { Attributes } from 'sequelize';
import type { StrategyStatus } from '../../../workflows/investment/strategy/strategy.rules';
import { firstRow, rows, type Db } from '../../sql/query';
import { pendingMinor } from '../participation/valued';
import type { Strategy } from './strategy.model';

/** The results of participations for their owners, in minor units. */
export interface StrategyFinancials {
  /** The sum of the profits and losses that providers distributed. */
  distributedMinor: number;
  /** Interest of running participations until now at the expected rate that their providers have not distributed yet. */
  pendingMinor: number;
}

/** A strategy as administrators see it in a list. */
export type AdministeredStrategy = StrategyFinancials &
  Pick<
    Attributes<Strategy>,
    | ('id' | 'name' | 'status' | 'riskLevel' | 'returnMinBp' | 'returnMaxBp' | 'returnExpectedBp')
    | ('currency' | 'totalCapacityMinor' | 'reservedMinor' | 'totalInvestedMinor')
    | ('totalParticipants' | 'activeParticipations' | 'createdAt' | 'updatedAt')
  >;

/** The financials of a strategy `s`; the pending returns are the sum of those that owners see. */
const FINANCIALS = `LATERAL (
  SELECT coalesce(sum(p.earned_minor), 0)::bigint AS distributed_minor,
    coalesce(sum(${pendingMinor('now()')}), 0)::bigint AS pending_minor
  FROM participations p WHERE p.strategy_id = s.id) financials`;

/** One page of the strategies, newest first; `total` counts all that match. */
export async function listAdministeredStrategies(
  db: Db,
  { status, categoryId }: { status?: StrategyStatus | undefined; categoryId?: string | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; strategies: AdministeredStrategy[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`s.status = ${bind(status)}`);
  if (categoryId !== undefined) conditions.push(`s.category_id = ${bind(categoryId)}::uuid`);
  const where = conditions.join(' AND ');
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM investment_strategies s WHERE ${where}`,
    values,
  );
  const strategies = await rows<AdministeredStrategy>(
    db,
    `WITH s AS MATERIALIZED (
       SELECT s.* FROM investment_strategies s WHERE ${where}
       ORDER BY s.created_at DESC, s.id DESC LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT s.id, s.name, s.status, s.risk_level, s.return_min_bp, s.return_max_bp, s.return_expected_bp, s.currency,
       s.total_capacity_minor, s.reserved_minor, s.total_invested_minor, s.total_participants, s.active_participations,
       s.created_at, s.updated_at, financials.*
     FROM s, ${FINANCIALS} ORDER BY s.created_at DESC, s.id DESC`,
    values,
  );
  return { total: counted?.total ?? 0, strategies };
}

/** The financials of one strategy. */
export async function strategyFinancials(db: Db, id: string): Promise<StrategyFinancials> {
  const found = await firstRow<StrategyFinancials>(
    db,
    `SELECT financials.* FROM (SELECT $1::uuid AS id) s, ${FINANCIALS}`,
    [id],
  );
  return found ?? { distributedMinor: 0, pendingMinor: 0 };
}
