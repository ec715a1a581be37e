import type { Tx } from '../../sql/query';
import { execute } from '../../sql/query';
import { table } from '../../sql/table';
import { InvestmentCategory } from './investment-category.model';
import type { InvestmentCategoryRecord } from './investment-category-record.reads';

/** The fields that administrators set. */
export type InvestmentCategorySettings = Omit<InvestmentCategoryRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** Any number that no other advisory lock has. */
const CATEGORIES_LOCK = 7_310_221;

/** Lets changes of the set of categories come one after another, so that slugs are made and numbers counted once. */
export async function lockInvestmentCategories(tx: Tx): Promise<void> {
  await execute(tx, 'SELECT pg_advisory_xact_lock($1)', [CATEGORIES_LOCK]);
}

/** Adds a category of strategies. A slug that is taken violates `investment_categories_slug_key`. */
export const insertInvestmentCategory = (
  tx: Tx,
  id: string,
  settings: InvestmentCategorySettings,
  at: Date,
): Promise<void> => table(tx, InvestmentCategory).insert({ ...settings, id, createdAt: at, updatedAt: at });

/** Sets every field of a category of strategies. */
export async function updateInvestmentCategory(
  tx: Tx,
  id: string,
  settings: InvestmentCategorySettings,
  at: Date,
): Promise<void> {
  const { name, slug, description, imageUrl, isActive } = settings;
  await table(tx, InvestmentCategory).update(
    { name, slug, description, imageUrl, isActive, updatedAt: at },
    { id },
  );
}
