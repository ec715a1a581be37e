import { audited } from '../../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../../db/administration/audit/changed-fields';
import {
  investmentCategory,
  type InvestmentCategoryRecord,
} from '../../../../db/investment/category/investment-category-record.reads';
import {
  lockInvestmentCategories,
  updateInvestmentCategory,
  type InvestmentCategorySettings,
} from '../../../../db/investment/category/investment-category.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { refusingTakenSlug } from './taken-slug';

/**
 * Changes the given fields of a category of strategies; without a difference nothing is written. Refused:
 * CATEGORY_NOT_FOUND, SLUG_ALREADY_EXISTS.
 */
export function changeInvestmentCategory(
  db: Db,
  id: string,
  changes: Partial<InvestmentCategorySettings>,
  by: Actor,
): Promise<InvestmentCategoryRecord> {
  return refusingTakenSlug(
    inTransaction(db, async (tx) => {
      await lockInvestmentCategories(tx);
      const before = await investmentCategory(tx, id);
      if (!before) throw refusal('CATEGORY_NOT_FOUND');
      const after = { ...before, ...changes };
      const changed = changedFields(before, after);
      if (!changed) return before;
      const at = new Date();
      await updateInvestmentCategory(tx, id, after, at);
      await audited(tx, { ...by, at }, 'investment-category.update', id, before, after);
      return { ...after, updatedAt: at };
    }),
  );
}
