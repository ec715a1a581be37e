import type { Attributes } from 'sequelize';
import type { ParticipationStatus } from '../../../workflows/investment/participation/participation.states';
import { IS_LEFT } from '../../commerce/payment/newest-attempt.reads';
import { firstRow, type Db } from '../../sql/query';
import { AWAITS_PAYOUT } from '../provider-event/waiting-payout.reads';
import type { Strategy } from '../strategy/strategy.model';
import type { Participation } from '../participation/participation.model';

/** A participation as its process follows it, with its strategy and the participation that it was reinvested in. */
export type ParticipationStanding = Pick<
  Attributes<Participation>,
  | 'id'
  | 'number'
  | 'status'
  | 'amountMinor'
  | 'currency'
  | 'paymentExpiresAt'
  | 'maturesAt'
  | 'durationDays'
  | 'returnMinBp'
  | 'returnMaxBp'
  | 'returnExpectedBp'
  | 'paymentMethod'
  | 'createdAt'
> & {
  strategyName: Attributes<Strategy>['name'];
  /** True while a report waits that says that its provider has paid it out. */
  awaitsPayout: boolean;
  successorId: string | null;
  successorNumber: string | null;
  successorMinor: number | null;
  /** True if it no longer waits for its payment here, and a page on which it could be paid may still be open. */
  pagesLeft: boolean;
};

/** The participation, or null. */
export const participationStanding = (
  db: Db,
  participationId: string,
): Promise<ParticipationStanding | null> =>
  firstRow<ParticipationStanding>(
    db,
    `SELECT p.id, p.number, p.status, p.amount_minor, p.currency, p.payment_expires_at, p.matures_at, p.duration_days,
       p.return_min_bp, p.return_max_bp, p.return_expected_bp, p.payment_method, p.created_at, s.name AS strategy_name,
       ${AWAITS_PAYOUT} AS awaits_payout, n.id AS successor_id, n.number AS successor_number, n.amount_minor AS successor_minor,
       p.status <> 'PENDING_PAYMENT'
         AND EXISTS (SELECT FROM payment_attempts WHERE participation_id = p.id AND ${IS_LEFT}) AS pages_left
     FROM participations p JOIN investment_strategies s ON s.id = p.strategy_id
       LEFT JOIN participations n ON n.reinvested_from_id = p.id
     WHERE p.id = $1`,
    [participationId],
  );

/** The way that the money of an ended participation went, as far as it has not left the platform. */
export interface ParticipationOutcome {
  /** The participation that it was reinvested in; null: none. */
  successorNumber: string | null;
  successorStatus: ParticipationStatus | null;
  /** The withdrawal whose transfer is on its way; null: none. */
  withdrawalId: string | null;
}

export async function participationOutcome(db: Db, participationId: string): Promise<ParticipationOutcome> {
  const outcome = await firstRow<ParticipationOutcome>(
    db,
    `SELECT n.number AS successor_number, n.status AS successor_status, w.id AS withdrawal_id
     FROM participations p LEFT JOIN participations n ON n.reinvested_from_id = p.id
       LEFT JOIN investment_withdrawals w ON w.participation_id = p.id AND w.status = 'PROCESSING'
     WHERE p.id = $1`,
    [participationId],
  );
  if (!outcome) throw new Error(`There is no participation ${participationId}.`);
  return outcome;
}
