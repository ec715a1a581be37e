import type { Attributes } from 'sequelize';
import { MAX_AMOUNT_MINOR } from '../../../workflows/commerce/money.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Provider } from '../provider/provider.model';
import { Strategy } from './strategy.model';

/** The terms of a strategy as a participation has them. */
export const STRATEGY_TERMS = [
  'returnMinBp',
  'returnMaxBp',
  'returnExpectedBp',
  'returnType',
  'payoutFrequency',
  'lockDays',
  'earlyWithdrawalAllowed',
  'earlyWithdrawalPenaltyBp',
  'commissionBp',
  'careerPointsBp',
] as const satisfies readonly (keyof Attributes<Strategy>)[];

const OFFER_COLUMNS = [
  ...STRATEGY_TERMS,
  'id',
  'name',
  'providerCode',
  'status',
  'minDays',
  'maxDays',
  'minMinor',
  'maxMinor',
  'currency',
  'compoundingAvailable',
  'automaticReinvestment',
] as const satisfies readonly (keyof Attributes<Strategy>)[];

/** The offer of a strategy to new participants. */
export type StrategyOffer = Pick<Attributes<Strategy>, (typeof OFFER_COLUMNS)[number]>;

/**
 * The offer under a lock that lets no other change of the strategy by until the transaction ends: neither its terms nor
 * its status can differ from what the participation gets. It is closed while its provider is switched off. Lock the user
 * and the participation before.
 */
export async function lockStrategyOffer(tx: Tx, strategyId: string): Promise<StrategyOffer | null> {
  const offer = await table(tx, Strategy).one(OFFER_COLUMNS, { id: strategyId }, { lock: 'NO_KEY_UPDATE' });
  if (!offer) return null;
  const { providerCode: code } = offer;
  const isOpen = (await table(tx, Provider).count({ code, isActive: true })) > 0;
  return isOpen ? offer : { ...offer, status: 'CLOSED' };
}

/**
 * Reserves capacity for a principal, in minor units, in one conditional update; false when less is left, or when all that
 * was ever invested could no longer be shown.
 */
export async function reserveCapacity(tx: Tx, strategyId: string, amountMinor: number): Promise<boolean> {
  const reserved = await execute(
    tx,
    `UPDATE investment_strategies SET reserved_minor = reserved_minor + $2
     WHERE id = $1 AND (total_capacity_minor IS NULL OR reserved_minor + $2 <= total_capacity_minor)
       AND total_invested_minor + reserved_minor + $2 <= ${MAX_AMOUNT_MINOR}`,
    [strategyId, amountMinor],
  );
  return reserved === 1;
}

/**
 * Takes capacity for principal that lies at the provider, whether or not it is left; false when all that was ever invested
 * could no longer be shown.
 */
export async function reserveBeyondCapacity(
  tx: Tx,
  strategyId: string,
  amountMinor: number,
): Promise<boolean> {
  const reserved = await execute(
    tx,
    `UPDATE investment_strategies SET reserved_minor = reserved_minor + $2
     WHERE id = $1 AND total_invested_minor + reserved_minor + $2 <= ${MAX_AMOUNT_MINOR}`,
    [strategyId, amountMinor],
  );
  return reserved === 1;
}

/** Tells whether a locked strategy has capacity for a principal that takes the place of another, in minor units. */
export async function hasCapacityFor(
  tx: Tx,
  strategyId: string,
  { amountMinor, freedMinor }: { amountMinor: number; freedMinor: number },
): Promise<boolean> {
  const fits = await firstRow(
    tx,
    `SELECT 1 FROM investment_strategies WHERE id = $1
       AND (total_capacity_minor IS NULL OR reserved_minor - $3 + $2 <= total_capacity_minor)
       AND total_invested_minor + reserved_minor + $2 <= ${MAX_AMOUNT_MINOR}`,
    [strategyId, amountMinor, freedMinor],
  );
  return fits !== null;
}

/** Gives capacity back, of a participation that ends or is never paid. */
export async function releaseCapacity(tx: Tx, strategyId: string, amountMinor: number): Promise<void> {
  await execute(tx, `UPDATE investment_strategies SET reserved_minor = reserved_minor - $2 WHERE id = $1`, [
    strategyId,
    amountMinor,
  ]);
}

/**
 * Counts a participation that begins. Its own row is ACTIVE already. The strategy is locked by a statement of its own first:
 * the one that counts then sees what the last holder of the lock has committed, such as another one of the same person.
 */
export async function countBegun(
  tx: Tx,
  {
    strategyId,
    userId,
    amountMinor,
    id,
  }: { strategyId: string; userId: string; amountMinor: number; id: string },
): Promise<void> {
  await execute(tx, 'SELECT 1 FROM investment_strategies WHERE id = $1 FOR NO KEY UPDATE', [strategyId]);
  await execute(
    tx,
    `UPDATE investment_strategies SET active_participations = active_participations + 1,
       total_invested_minor = total_invested_minor + $3,
       total_participants = total_participants + CASE WHEN EXISTS (
         SELECT 1 FROM participations p WHERE p.strategy_id = $1 AND p.user_id = $2 AND p.id <> $4
           AND p.started_at IS NOT NULL) THEN 0 ELSE 1 END
     WHERE id = $1`,
    [strategyId, userId, amountMinor, id],
  );
}

/** Counts a participation that ends after it ran, and gives its capacity back. */
export async function countEnded(tx: Tx, strategyId: string, principalMinor: number): Promise<void> {
  const ended = await firstRow(
    tx,
    `UPDATE investment_strategies SET active_participations = active_participations - 1,
       reserved_minor = reserved_minor - $2
     WHERE id = $1 RETURNING id`,
    [strategyId, principalMinor],
  );
  if (!ended) throw new Error(`There is no strategy ${strategyId}.`);
}
