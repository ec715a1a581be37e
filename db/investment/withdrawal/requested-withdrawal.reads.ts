import type { Attributes } from 'sequelize';
import type { WithdrawableParticipation } from '../../../workflows/investment/withdrawal/withdrawal-terms.rules';
import type { KycLevel } from '../../../workflows/kyc/kyc.rules';
import { LEVEL_IN_FORCE } from '../../kyc/standing/user-standing.reads';
import { firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { InvestmentWithdrawal } from './investment-withdrawal.model';

/** A participation that its owner wants to withdraw, with their level in force. */
export type ParticipationToWithdraw = WithdrawableParticipation & {
  number: string;
  currency: string;
  level: KycLevel;
};

/** A participation of a user; null when they have none of this id. */
export const participationToWithdraw = (
  db: Db,
  userId: string,
  id: string,
): Promise<ParticipationToWithdraw | null> =>
  firstRow<ParticipationToWithdraw>(
    db,
    `SELECT p.number, p.currency, p.status, p.amount_minor, p.withdrawn_minor, p.earned_minor,
       p.early_withdrawal_allowed, p.early_withdrawal_penalty_bp, p.lock_days, p.started_at, p.matures_at,
       ${LEVEL_IN_FORCE} AS level
     FROM participations p JOIN users u ON u.id = p.user_id WHERE p.id = $2 AND p.user_id = $1`,
    [userId, id],
  );

const COLUMNS = [
  'id',
  'participationId',
  'method',
  'principalMinor',
  'returnsMinor',
  'penaltyMinor',
  'netMinor',
  'currency',
  'maskedDetails',
  'estimatedOn',
] as const satisfies readonly (keyof Attributes<InvestmentWithdrawal>)[];

/** A withdrawal as its request is answered. */
export type RequestedWithdrawal = Pick<Attributes<InvestmentWithdrawal>, (typeof COLUMNS)[number]>;

/** A withdrawal of a user; null when they have none of this id. */
export const requestedWithdrawal = (
  db: Db,
  userId: string,
  id: string,
): Promise<RequestedWithdrawal | null> => table(db, InvestmentWithdrawal).one(COLUMNS, { id, userId });
