import type { Attributes, CreationAttributes } from 'sequelize';
import { BY_HAND, type UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';
import { rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { PayoutDecision } from './payout-decision.model';
import { Payout } from './payout.model';

const COLUMNS = [
  'id',
  'kind',
  'userId',
  'partnerId',
  'amountMinor',
  'currency',
  'details',
  'method',
  'maskedDetails',
  'status',
  'provider',
  'sendings',
  'askedAt',
  'askedProvider',
  'unproven',
  'externalReference',
  'transferReference',
  'approvedBy',
  'approvedAt',
  'processedBy',
  'processedAt',
  'lastRefusal',
  'createdAt',
] as const satisfies readonly (keyof Attributes<Payout>)[];

export type PayoutRow = Pick<Attributes<Payout>, (typeof COLUMNS)[number]>;

/** A payout by its id; null when there is none. */
export const findPayout = (db: Db, id: string): Promise<PayoutRow | null> =>
  table(db, Payout).one(COLUMNS, { id });

/** A payout by its id, locked until the transaction ends; null when there is none. */
export const lockPayout = (tx: Tx, id: string): Promise<PayoutRow | null> =>
  table(tx, Payout).one(COLUMNS, { id }, { lock: 'NO_KEY_UPDATE' });

/**
 * The open withdrawal of a user's wallet of which certainly nothing was sent, locked until the transaction ends; null when there is
 * none. The user is locked, so that none is requested meanwhile.
 */
export async function lockUnsentWithdrawal(
  tx: Tx,
  { userId, currency }: Pick<PayoutRow, 'userId' | 'currency'>,
): Promise<PayoutRow | null> {
  const open = await table(tx, Payout).one(
    COLUMNS,
    { userId, currency, kind: 'WALLET', status: ['PENDING', 'APPROVED'], askedAt: null },
    { lock: 'NO_KEY_UPDATE' },
  );
  return open?.unproven.length === 0 ? open : null;
}

export const insertPayout = (tx: Tx, row: CreationAttributes<Payout>): Promise<void> =>
  table(tx, Payout).insert(row);

/** Records a decision that was made under the payout's lock. */
export const storeDecision = (tx: Tx, decision: Attributes<PayoutDecision>): Promise<void> =>
  table(tx, PayoutDecision).insert(decision);

/** The columns that a move changes with the status. */
export type PayoutChanges = Partial<
  Omit<Attributes<Payout>, 'id' | 'kind' | 'userId' | 'partnerId' | 'amountMinor' | 'currency' | 'createdAt'>
>;

/** Changes a locked payout. Throws if it is no longer in the status that was locked. */
export async function movePayout(
  tx: Tx,
  { id, status }: Pick<PayoutRow, 'id' | 'status'>,
  changes: PayoutChanges,
): Promise<void> {
  if ((await table(tx, Payout).update(changes, { id, status })) !== 1)
    throw new Error(`Payout ${id} changed under its lock.`);
}

/**
 * Records that the provider is asked from now on, under the key of the payout's number of sendings; committed before the call.
 * Returns the number, or null if the provider has nothing to send any more.
 */
export async function markPayoutAsked(
  tx: Tx,
  { id, provider, sendings }: Pick<PayoutRow, 'id' | 'provider' | 'sendings'>,
  at: Date,
): Promise<number | null> {
  const [asked] = await rows<{ sendings: number }>(
    tx,
    `UPDATE payouts SET asked_at = $4, asked_provider = provider WHERE id = $1 AND status = 'PROCESSING' AND provider = $2 AND sendings = $3
     RETURNING sendings`,
    [id, provider, sendings, at],
  );
  return asked?.sendings ?? null;
}

/** Leaves a transfer that was certainly not carried out to a person. */
export async function handOverPayout(tx: Tx, id: string, unproven: UnprovenAttempt[]): Promise<void> {
  await table(tx, Payout).update(
    { provider: BY_HAND, askedAt: null, unproven },
    { id, status: 'PROCESSING' },
  );
}
