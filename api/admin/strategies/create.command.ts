import { audited } from '../../../db/administration/audit/audit.writes';
import { investmentCategoryExists } from '../../../db/investment/category/shown-category.reads';
import { isActiveProvider } from '../../../db/investment/provider/provider-choice.reads';
import { internalProvider } from '../../../db/investment/provider/provider.writes';
import {
  lockStrategy,
  type StoredStrategy,
  type StrategyRecord,
} from '../../../db/investment/strategy/administered-strategy.reads';
import {
  freeStrategySlug,
  insertStrategy,
} from '../../../db/investment/strategy/administered-strategy.writes';
import { violates } from '../../../db/sql/errors';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { slugOf } from '../../../workflows/catalog/slug.rules';
import type { Actor } from '../actor';
import { requireConsistent } from './strategy.requirements';

/** A new strategy; without a provider it is of the internal one, without a code it has that of its slug. */
export type NewStrategy = StrategyRecord & {
  currency: string;
  providerCode: string | undefined;
  strategyCode: string | undefined;
};

/**
 * Creates a strategy with a slug of its own; creating the same id again returns the strategy that exists. Refused:
 * PROVIDER_NOT_FOUND, CATEGORY_NOT_FOUND, and VALIDATION_ERROR for contradicting terms, and for a code that the
 * provider's strategies already have.
 */
export function createStrategy(
  db: Db,
  id: string,
  strategy: NewStrategy,
  by: Actor,
): Promise<StoredStrategy> {
  return refusingTakenCode(
    inTransaction(db, async (tx) => {
      const existing = await lockStrategy(tx, id);
      if (existing) return existing;
      const { providerCode: asked, strategyCode, ...terms } = strategy;
      requireConsistent(terms);
      const at = new Date();
      const providerCode = await requireProvider(tx, asked, at);
      if (!(await investmentCategoryExists(tx, terms.categoryId))) throw refusal('CATEGORY_NOT_FOUND');
      const slug = await freeStrategySlug(tx, slugOf(terms.name, 'strategy'), id);
      const named = { slug, providerCode, strategyCode: strategyCode ?? slug };
      await insertStrategy(tx, { ...terms, ...named, id, createdAt: at });
      const created = await lockStrategy(tx, id);
      if (!created) throw new Error(`Strategy ${id} was inserted and cannot be read.`);
      await audited(tx, { ...by, at }, 'strategy.create', id, null, { ...terms, ...named });
      return created;
    }),
  );
}

async function requireProvider(tx: Tx, asked: string | undefined, at: Date): Promise<string> {
  const code = asked ?? (await internalProvider(tx, at));
  if (!(await isActiveProvider(tx, code)))
    throw refusal('PROVIDER_NOT_FOUND', 'No such provider, or it is not active.');
  return code;
}

async function refusingTakenCode<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, 'investment_strategies_code_key')) throw error;
    throw businessRefusal('STRATEGY_CODE_TAKEN', 'The provider already has a strategy with this code.', {
      strategyCode: ['belongs to another strategy of the provider'],
    });
  }
}
