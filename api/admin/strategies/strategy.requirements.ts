import {
  lockStrategy,
  type StoredStrategy,
  type StrategyRecord,
} from '../../../db/investment/strategy/administered-strategy.reads';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { strategyContradictions } from '../../../workflows/investment/strategy/strategy.rules';
import { invalid } from '../../http/validation/validation';

export const noSuchStrategy = (): Error => refusal('STRATEGY_NOT_FOUND');

/** Locks a strategy as `lockStrategy` does; refused with STRATEGY_NOT_FOUND if it does not exist. */
export async function requireStrategy(tx: Tx, id: string): Promise<StoredStrategy> {
  const strategy = await lockStrategy(tx, id);
  if (!strategy) throw noSuchStrategy();
  return strategy;
}

/** Refuses terms that contradict each other with VALIDATION_ERROR, by field. */
export function requireConsistent(strategy: StrategyRecord): void {
  const wrong = strategyContradictions(strategy);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

/** Runs a transaction and refuses with VALIDATION_ERROR when it puts a strategy into a category that does not exist. */
export async function refusingUnknownCategory<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, 'investment_strategies_category_fkey')) throw error;
    throw businessRefusal('UNKNOWN_CATEGORY', 'No such category.', { categoryId: ['is not a category'] });
  }
}
