import { audited } from '../../../../db/administration/audit/audit.writes';
import {
  allInvestmentCategories,
  investmentCategory,
  type InvestmentCategoryRecord,
} from '../../../../db/investment/category/investment-category-record.reads';
import {
  insertInvestmentCategory,
  lockInvestmentCategories,
  type InvestmentCategorySettings,
} from '../../../../db/investment/category/investment-category.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { slugOf } from '../../../../workflows/catalog/slug.rules';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { refusingTakenSlug } from './taken-slug';

/** More are no help to anybody, and the list has no pages. */
const MOST_CATEGORIES = 200;

/** Without a slug, one is made from the name. */
export type NewInvestmentCategory = Omit<InvestmentCategorySettings, 'slug'> &
  Partial<Pick<InvestmentCategorySettings, 'slug'>>;

/**
 * Creates a category of strategies; creating the same id again returns the category that exists. Refused:
 * SLUG_ALREADY_EXISTS for a requested slug that is taken, VALIDATION_ERROR when there are too many.
 */
export function createInvestmentCategory(
  db: Db,
  id: string,
  category: NewInvestmentCategory,
  by: Actor,
): Promise<InvestmentCategoryRecord> {
  return refusingTakenSlug(
    inTransaction(db, async (tx) => {
      await lockInvestmentCategories(tx);
      const existing = await investmentCategory(tx, id);
      if (existing) return existing;
      const others = await allInvestmentCategories(tx);
      if (others.length >= MOST_CATEGORIES)
        throw businessRefusal(
          'TOO_MANY_CATEGORIES',
          `There can be at most ${MOST_CATEGORIES} categories of strategies.`,
        );
      const slug = category.slug ?? freeSlug(slugOf(category.name, 'category'), others);
      const [settings, at] = [{ ...category, slug }, new Date()];
      await insertInvestmentCategory(tx, id, settings, at);
      await audited(tx, { ...by, at }, 'investment-category.create', id, null, settings);
      return { ...settings, id, createdAt: at, updatedAt: at };
    }),
  );
}

/** The first of `slug`, `slug-2`, `slug-3`, … that no other has. */
function freeSlug(slug: string, others: readonly { slug: string }[]): string {
  const taken = new Set(others.map((other) => other.slug));
  let [free, number] = [slug, 1];
  while (taken.has(free)) free = `${slug}-${++number}`;
  return free;
}
