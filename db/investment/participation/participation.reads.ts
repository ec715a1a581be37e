import type { Attributes } from 'sequelize';
import type { RiskLevel } from '../../../workflows/investment/strategy/strategy.rules';
import type { ParticipationStatus } from '../../../workflows/investment/participation/participation.states';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Participation } from './participation.model';
import { valued } from './valued';

type Row = Attributes<Participation>;

/** A participation with its strategy, as lists show it. */
export type ParticipationRow = Pick<
  Row,
  | 'id'
  | 'number'
  | 'strategyId'
  | 'status'
  | 'amountMinor'
  | 'currency'
  | 'withdrawnMinor'
  | 'earnedMinor'
  | 'returnExpectedBp'
  | 'durationDays'
  | 'startedAt'
  | 'maturesAt'
  | 'endedAt'
  | 'compounding'
  | 'autoReinvest'
  | 'createdAt'
> & { strategyName: string; strategySlug: string; riskLevel: RiskLevel };

/** A participation with all that its owner can see of it, but its transactions. */
export type ParticipationDetailRow = ParticipationRow &
  Pick<
    Row,
    | 'userId'
    | 'origin'
    | 'providerCode'
    | 'externalId'
    | 'reinvestedFromId'
    | 'returnMinBp'
    | 'returnMaxBp'
    | 'lockDays'
    | 'earlyWithdrawalAllowed'
    | 'earlyWithdrawalPenaltyBp'
    | 'paymentMethod'
    | 'paymentStatus'
    | 'paymentExpiresAt'
    | 'paidAt'
    | 'updatedAt'
  > & {
    valueMinor: number;
    /** The payment at its provider; null without one. */
    transactionId: string | null;
  };

/** Columns of a list over `p` and its strategy `s`. */
export const LISTED = `p.id, p.number, p.strategy_id, p.status, p.amount_minor, p.currency, p.withdrawn_minor, p.earned_minor,
  p.return_expected_bp, p.duration_days, p.started_at, p.matures_at, p.ended_at, p.compounding, p.auto_reinvest,
  p.created_at, s.name AS strategy_name, s.slug AS strategy_slug, s.risk_level`;

export interface ParticipationFilter {
  status?: ParticipationStatus | undefined;
  strategyId?: string | undefined;
}

const bindOf = (userId: string, { status, strategyId }: ParticipationFilter) => [
  userId,
  status ?? null,
  strategyId ?? null,
];
/** The participations `of` an owner that fit a filter; the placeholders are those of `bindOf`. */
const fitting = (of: string): string => `${of}.user_id = $1 AND ($2::text IS NULL OR ${of}.status = $2)
  AND ($3::uuid IS NULL OR ${of}.strategy_id = $3)`;

/** A page of a user's participations, newest first. */
export const participationsOf = (
  db: Db,
  userId: string,
  filter: ParticipationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ParticipationRow[]> =>
  rows<ParticipationRow>(
    db,
    `SELECT ${LISTED} FROM participations p JOIN investment_strategies s ON s.id = p.strategy_id
      WHERE ${fitting('p')} ORDER BY p.created_at DESC, p.id LIMIT $4 OFFSET $5`,
    [...bindOf(userId, filter), limit, offset],
  );

export interface ParticipationTotals {
  total: number;
  active: number;
  /** Without what moved from one of them into another. */
  investedMinor: number;
  returnsMinor: number;
  pendingMinor: number;
}

/** The figures of all of a user's participations that fit a filter, at a time. */
export async function participationTotals(
  db: Db,
  userId: string,
  filter: ParticipationFilter,
  now: Date,
): Promise<ParticipationTotals> {
  const totals = await firstRow<ParticipationTotals>(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE p.status = 'ACTIVE')::int AS active,
            coalesce(sum(p.amount_minor) FILTER (WHERE p.started_at IS NOT NULL AND from_one.id IS NULL), 0)::bigint
              AS invested_minor,
            coalesce(sum(p.returns_minor), 0)::bigint AS returns_minor,
            coalesce(sum(p.pending_minor), 0)::bigint AS pending_minor
       FROM ${valued(fitting('p'), '$4')} p
       LEFT JOIN participations from_one ON from_one.id = p.reinvested_from_id AND ${fitting('from_one')}`,
    [...bindOf(userId, filter), now],
  );
  if (!totals) throw new Error('An aggregate answered no row.');
  return totals;
}

/** A participation, of this user if one is given; null when there is none. */
export const participationDetail = (
  db: Db,
  id: string,
  userId: string | null,
  now: Date,
): Promise<ParticipationDetailRow | null> =>
  firstRow<ParticipationDetailRow>(db, `${DETAIL_OF('p.id = $2')} AND ($3::uuid IS NULL OR p.user_id = $3)`, [
    now,
    id,
    userId,
  ]);

/** All participations of a user, newest first. */
export const participationDetails = (db: Db, userId: string, now: Date): Promise<ParticipationDetailRow[]> =>
  rows<ParticipationDetailRow>(db, `${DETAIL_OF('p.user_id = $2')} ORDER BY p.created_at DESC, p.id`, [
    now,
    userId,
  ]);

const DETAIL_OF = (
  chosen: string,
): string => `SELECT ${LISTED}, p.user_id, p.origin, p.provider_code, p.external_id,
  p.reinvested_from_id, p.return_min_bp, p.return_max_bp, p.lock_days, p.early_withdrawal_allowed,
  p.early_withdrawal_penalty_bp, p.payment_method, p.payment_status, p.payment_expires_at, p.paid_at, p.updated_at, p.value_minor,
  (SELECT c.provider_payment_id FROM payment_captures c WHERE c.participation_id = p.id AND c.applied) AS transaction_id
  FROM ${valued(chosen, '$1')} p JOIN investment_strategies s ON s.id = p.strategy_id WHERE true`;
