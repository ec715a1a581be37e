import { audited } from '../../../db/administration/audit/audit.writes';
import {
  categoryRecord,
  freeSlug,
  type CategoryRecord,
} from '../../../db/catalog/category/administered-category.reads';
import {
  insertCategory,
  lockTree,
  nextPosition,
  type CategorySettings,
} from '../../../db/catalog/category/category.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { slugOf } from '../../../workflows/catalog/slug.rules';
import type { Actor } from '../actor';
import { refusingTakenSlug, requirePlace } from './category.requirements';

/** Without a slug, one is made from the name; without a position, the category becomes the last of its siblings. */
export type NewCategory = Omit<CategorySettings, 'slug' | 'position'> &
  Partial<Pick<CategorySettings, 'slug' | 'position'>>;

/**
 * Creates a category; creating the same id again returns the category that exists. Refused: CATEGORY_NOT_FOUND for an
 * unknown parent, SLUG_ALREADY_EXISTS for a requested slug that is taken, VALIDATION_ERROR if the tree became too deep.
 */
export function createCategory(
  db: Db,
  id: string,
  category: NewCategory,
  by: Actor,
): Promise<CategoryRecord> {
  return refusingTakenSlug(
    inTransaction(db, async (tx) => {
      await lockTree(tx);
      const existing = await categoryRecord(tx, id);
      if (existing) return existing;
      await requirePlace(tx, null, category.parentId);
      const settings = {
        ...category,
        slug: category.slug ?? (await freeSlug(tx, slugOf(category.name, 'category'))),
        position: category.position ?? (await nextPosition(tx, category.parentId)),
      };
      const at = new Date();
      await insertCategory(tx, id, settings, at);
      await audited(tx, { ...by, at }, 'category.create', id, null, settings);
      return { ...settings, id, createdAt: at, updatedAt: at };
    }),
  );
}
