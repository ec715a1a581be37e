import type { Attributes } from 'sequelize';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Strategy } from './strategy.model';

/** The columns that administrators set, besides those that stay as the strategy was created. */
const FIELDS = [
  'name',
  'description',
  'shortDescription',
  'categoryId',
  'returnMinBp',
  'returnMaxBp',
  'returnExpectedBp',
  'returnType',
  'payoutFrequency',
  'minDays',
  'maxDays',
  'lockDays',
  'minMinor',
  'maxMinor',
  'totalCapacityMinor',
  'riskLevel',
  'riskDisclosure',
  'status',
  'earlyWithdrawalAllowed',
  'earlyWithdrawalPenaltyBp',
  'compoundingAvailable',
  'automaticReinvestment',
  'commissionBp',
  'careerPointsBp',
] as const;

/** The fields of a strategy that administrators set; amounts in minor units, percentages in basis points. */
export type StrategyRecord = Pick<Attributes<Strategy>, (typeof FIELDS)[number]>;

const KEPT = [
  ...FIELDS,
  ...(['id', 'slug', 'providerCode', 'strategyCode', 'currency', 'createdAt', 'updatedAt'] as const),
  ...(['reservedMinor', 'imageUrl', 'imageMediaName'] as const),
] as const;

/** A strategy as administrators change it. */
export type StoredStrategy = Pick<Attributes<Strategy>, (typeof KEPT)[number]>;

/**
 * A strategy, locked against other changes and against participations that begin or end, which count themselves in it;
 * null if it does not exist.
 */
export const lockStrategy = (tx: Tx, id: string): Promise<StoredStrategy | null> =>
  table(tx, Strategy).one(KEPT, { id }, { lock: 'NO_KEY_UPDATE' });

/** The fields that administrators set, of a strategy. */
export const recordOf = (strategy: StoredStrategy): StrategyRecord =>
  Object.fromEntries(FIELDS.map((name) => [name, strategy[name]])) as unknown as StrategyRecord;
