import type { Attributes, CreationAttributes } from 'sequelize';
import { BY_HAND, type UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';
import { rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { InvestmentWithdrawal } from './investment-withdrawal.model';

const COLUMNS = [
  'id',
  'participationId',
  'userId',
  'method',
  'status',
  'netMinor',
  'currency',
  'details',
  'maskedDetails',
  'provider',
  'transferReference',
  'sendings',
  'askedAt',
  'askedProvider',
  'unproven',
  'settlementId',
  'createdAt',
] as const satisfies readonly (keyof Attributes<InvestmentWithdrawal>)[];

export type Withdrawal = Pick<Attributes<InvestmentWithdrawal>, (typeof COLUMNS)[number]>;

/** A withdrawal by its id; null when there is none. */
export const findWithdrawal = (db: Db, id: string): Promise<Withdrawal | null> =>
  table(db, InvestmentWithdrawal).one(COLUMNS, { id });

/** A withdrawal by its id, locked until the transaction ends; null when there is none. */
export const lockWithdrawal = (tx: Tx, id: string): Promise<Withdrawal | null> =>
  table(tx, InvestmentWithdrawal).one(COLUMNS, { id }, { lock: 'NO_KEY_UPDATE' });

export const insertWithdrawal = (tx: Tx, row: CreationAttributes<InvestmentWithdrawal>): Promise<void> =>
  table(tx, InvestmentWithdrawal).insert(row);

/**
 * Records that the provider is asked from now on, under the key of this number of sendings; committed before the call.
 * Returns the number, or null if the provider has nothing to send any more.
 */
export async function markTransferAsked(
  tx: Tx,
  { id, provider }: Pick<Withdrawal, 'id' | 'provider'>,
  at: Date,
): Promise<number | null> {
  const [asked] = await rows<{ sendings: number }>(
    tx,
    `UPDATE investment_withdrawals SET asked_at = $3, asked_provider = provider, sendings = greatest(1, sendings)
     WHERE id = $1 AND status = 'PROCESSING' AND provider = $2 RETURNING sendings`,
    [id, provider, at],
  );
  return asked?.sendings ?? null;
}

/** The end of a transfer. */
export type WithdrawalEnd = (
  | { status: 'COMPLETED'; transferReference: string }
  | { status: 'CREDITED'; transferReference: string | null; refusedBecause: string }
) & {
  /** The administrator who says so, and the note of it; left out: its provider does. */
  settledBy?: string;
  settlementId?: string;
  /** The provider by which it arrived, where it was left to a person meanwhile. */
  provider?: string;
};

/** Ends a withdrawal that is on its way; false when it is not. */
export async function endWithdrawal(tx: Tx, id: string, end: WithdrawalEnd, at: Date): Promise<boolean> {
  const ended = await table(tx, InvestmentWithdrawal).update(
    { ...end, endedAt: at, ...(end.status === 'CREDITED' && { askedAt: null }) },
    { id, status: 'PROCESSING' },
  );
  return ended === 1;
}

/** Leaves a transfer that was certainly not carried out to a person. */
export async function handOverTransfer(tx: Tx, id: string, unproven: UnprovenAttempt[]): Promise<void> {
  await table(tx, InvestmentWithdrawal).update(
    { provider: BY_HAND, askedAt: null, unproven },
    { id, status: 'PROCESSING' },
  );
}
