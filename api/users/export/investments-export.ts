import { participationDetails } from '../../../db/investment/participation/participation.reads';
import {
  transactionsOf,
  type TransactionRow,
} from '../../../db/investment/transaction/investment-transaction.reads';
import { withdrawalsOf } from '../../../db/investment/withdrawal/withdrawal-export.reads';
import type { Db } from '../../../db/sql/query';
import { participationDetailView } from '../../investment/participations/participation-detail.view';
import { withdrawalExport } from './withdrawal-export.view';

/** All participations of a user with all of their transactions, and all withdrawals, newest first. */
export async function investmentsExport(db: Db, userId: string, at: Date) {
  const participations = await participationDetails(db, userId, at);
  const transactions = await transactionsOf(
    db,
    participations.map(({ id }) => id),
    null,
  );
  const byParticipation = new Map(participations.map(({ id }) => [id, [] as TransactionRow[]]));
  for (const one of transactions) byParticipation.get(one.participationId)?.push(one);
  const withdrawals = await withdrawalsOf(db, userId);
  return {
    participations: participations.map((row) => ({
      ...participationDetailView(row, byParticipation.get(row.id) ?? [], at),
      number: row.number,
    })),
    investmentWithdrawals: withdrawals.map(withdrawalExport),
  };
}
