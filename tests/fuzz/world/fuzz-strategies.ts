import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { Dictionaries } from './fuzz-world';

/** Strategies to look at, and `spare` others for administrators to change, each with a document. */
export async function strategiesIn(db: Db, spare: number): Promise<Dictionaries> {
  const categoryId = (await make.strategyCategory(db)).id;
  const providerCode = (await make.provider(db, { code: 'alpha' })).code;
  const spareStrategies: string[] = [];
  const spareStrategyDocuments: string[] = [];
  for (let i = 0; i < spare; i++) {
    const { id } = await make.strategy(db, { categoryId, providerCode });
    spareStrategies.push(id);
    spareStrategyDocuments.push(await make.strategyDocument(db, id));
  }
  const limited = { categoryId, providerCode, totalCapacityMinor: 1_000_000_00 };
  const strategies = [await make.strategy(db, limited), await make.strategy(db, { status: 'PAUSED' })];
  return {
    investmentProviders: [providerCode, (await make.provider(db)).code],
    strategies: strategies.map(({ id }) => id),
    strategyCategories: [categoryId],
    spareStrategies,
    spareStrategyDocuments,
  };
}
