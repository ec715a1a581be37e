import type { Attributes, CreationAttributes } from 'sequelize';
import { topUpStates, type TopUpStatus } from '../../../workflows/ledger/top-up/top-up.states';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { TOP_UP_COLUMNS as COLUMNS, type TopUpRow } from './top-up.reads';
import { TopUp } from './top-up.model';

/** Locks a top-up, so that every other move of it, and all its money, waits; null when there is none. */
export const lockTopUp = (tx: Tx, id: string): Promise<TopUpRow | null> =>
  table(tx, TopUp).one(COLUMNS, { id }, { lock: 'NO_KEY_UPDATE' });

/**
 * Locks the user who tops up, so that the number of their open ones is decided one after the other; false when the account may
 * not sign in.
 */
export async function lockPayer(tx: Tx, userId: string): Promise<boolean> {
  const user = await firstRow<{ isOpen: boolean }>(
    tx,
    `SELECT status = 'ACTIVE' AND erased_at IS NULL AS is_open FROM users WHERE id = $1 FOR NO KEY UPDATE`,
    [userId],
  );
  return user?.isOpen ?? false;
}

/** The number of a user's top-ups that wait for their payment. */
export const openTopUps = (tx: Tx, userId: string): Promise<number> =>
  table(tx, TopUp).count({ userId, status: 'PENDING_PAYMENT' });

export const insertTopUp = (tx: Tx, row: CreationAttributes<TopUp>): Promise<void> =>
  table(tx, TopUp).insert(row);

type Changes = Partial<Pick<Attributes<TopUp>, 'paymentStatus' | 'paymentMethod' | 'paidAt'>>;

/** Ends a locked top-up, if `topUpStates` allows it. */
export async function endTopUp(
  tx: Tx,
  { id, status }: Pick<TopUpRow, 'id' | 'status'>,
  to: Exclude<TopUpStatus, 'PENDING_PAYMENT'>,
  changes: Changes,
  at: Date,
): Promise<void> {
  if (!topUpStates.canMove(status, to)) throw new Error(`Top-up ${id} cannot move from ${status} to ${to}.`);
  const moved = await table(tx, TopUp).update(
    { ...changes, status: to, endedAt: at, updatedAt: at },
    { id, status },
  );
  if (moved !== 1) throw new Error(`Top-up ${id} is no longer ${status}.`);
}

/** Changes a locked top-up that keeps its status. */
export async function changeTopUp(tx: Tx, id: string, changes: Changes, at: Date): Promise<void> {
  await table(tx, TopUp).update({ ...changes, updatedAt: at }, { id });
}
