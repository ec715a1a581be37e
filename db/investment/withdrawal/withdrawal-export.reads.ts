import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { InvestmentWithdrawal } from './investment-withdrawal.model';

const COLUMNS = [
  'id',
  'participationId',
  'method',
  'status',
  'principalMinor',
  'returnsMinor',
  'penaltyMinor',
  'netMinor',
  'currency',
  'maskedDetails',
  'createdAt',
  'endedAt',
] as const satisfies readonly (keyof Attributes<InvestmentWithdrawal>)[];

export type WithdrawalOfUser = Pick<Attributes<InvestmentWithdrawal>, (typeof COLUMNS)[number]>;

/** All withdrawals of a user, newest first. */
export const withdrawalsOf = (db: Db, userId: string): Promise<WithdrawalOfUser[]> =>
  table(db, InvestmentWithdrawal).all(
    COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'ASC'],
      ],
    },
  );
