import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import {
  categoryRecord,
  type CategoryRecord,
} from '../../../db/catalog/category/administered-category.reads';
import {
  lockTree,
  updateCategory,
  type CategorySettings,
} from '../../../db/catalog/category/category.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { noSuchCategory, refusingTakenSlug, requirePlace } from './category.requirements';

/**
 * Changes the given fields of a category; without a difference nothing is written. Refused: CATEGORY_NOT_FOUND for an
 * unknown category or parent, SLUG_ALREADY_EXISTS, VALIDATION_ERROR for a cycle or a tree that became too deep.
 */
export function changeCategory(
  db: Db,
  id: string,
  changes: Partial<CategorySettings>,
  by: Actor,
): Promise<CategoryRecord> {
  return refusingTakenSlug(
    inTransaction(db, async (tx) => {
      await lockTree(tx);
      const before = await categoryRecord(tx, id);
      if (!before) throw noSuchCategory();
      const after = { ...before, ...changes };
      const changed = changedFields(before, after);
      if (!changed) return before;
      if ('parentId' in changed.next) await requirePlace(tx, id, after.parentId);
      const at = new Date();
      await updateCategory(tx, id, after, at);
      await audited(tx, { ...by, at }, 'category.update', id, before, after);
      return { ...after, updatedAt: at };
    }),
  );
}
