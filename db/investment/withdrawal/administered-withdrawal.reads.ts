import type { Attributes } from 'sequelize';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { WithdrawalStatus } from '../../../workflows/investment/withdrawal/withdrawal.states';
import { liveTransfer, type LiveTransfer } from '../../commerce/bank-file/live-transfer';
import type { User } from '../../identity/user/user.model';
import { firstRow, rows, type Db } from '../../sql/query';
import type { InvestmentWithdrawal } from './investment-withdrawal.model';

/** A withdrawal as administrators read it. */
export type AdministeredWithdrawal = Pick<
  Attributes<InvestmentWithdrawal>,
  | 'id'
  | 'participationId'
  | 'userId'
  | 'method'
  | 'status'
  | 'netMinor'
  | 'currency'
  | 'details'
  | 'maskedDetails'
  | 'provider'
  | 'transferReference'
  | 'refusedBecause'
  | 'settledBy'
  | 'settlementId'
  | 'createdAt'
  | 'endedAt'
> &
  Pick<Attributes<User>, 'email' | 'firstName' | 'lastName'> & {
    /** Of the participation. */
    number: string;
    /** True if a person has to send it. */
    needsTransfer: boolean;
    /** Of its transfer in bank files; null: they do not carry it out. */
    bankFileTransfer: LiveTransfer | null;
  };

/** True for a withdrawal `w` that a person has to send. */
const NEEDS_TRANSFER = `coalesce(w.status = 'PROCESSING' AND w.provider = '${BY_HAND}', false)`;
const WITHDRAWAL = `w.id, w.participation_id, w.user_id, w.method, w.status, w.net_minor, w.currency, w.details,
  w.masked_details, w.provider, w.transfer_reference, w.refused_because, w.settled_by, w.settlement_id, w.created_at,
  w.ended_at, u.email, u.first_name, u.last_name, p.number,
  ${NEEDS_TRANSFER} AS needs_transfer, ${liveTransfer('w')} AS bank_file_transfer`;
const OF = 'JOIN participations p ON p.id = w.participation_id JOIN users u ON u.id = w.user_id';

export interface WithdrawalFilter {
  /** Null: any. */
  status: WithdrawalStatus | null;
  /** True: those that a person has to send; false: all others; null: all. */
  needsTransfer: boolean | null;
}

const CHOSEN = `FROM investment_withdrawals w
  WHERE ($1::text IS NULL OR w.status = $1) AND ($2::boolean IS NULL OR ${NEEDS_TRANSFER} = $2)`;

/** One page of the withdrawals that fit, newest first; `total` counts them all. */
export async function listWithdrawals(
  db: Db,
  { status, needsTransfer }: WithdrawalFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; withdrawals: AdministeredWithdrawal[] }> {
  const filter = [status, needsTransfer];
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${CHOSEN}`, filter);
  const withdrawals = await rows<AdministeredWithdrawal>(
    db,
    `WITH w AS MATERIALIZED (SELECT w.* ${CHOSEN} ORDER BY w.created_at DESC, w.id DESC LIMIT $3 OFFSET $4)
     SELECT ${WITHDRAWAL} FROM w ${OF} ORDER BY w.created_at DESC, w.id DESC`,
    [...filter, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, withdrawals };
}

/** One withdrawal; null when there is none. */
export const administeredWithdrawal = (db: Db, id: string): Promise<AdministeredWithdrawal | null> =>
  firstRow<AdministeredWithdrawal>(
    db,
    `SELECT ${WITHDRAWAL} FROM investment_withdrawals w ${OF} WHERE w.id = $1`,
    [id],
  );
