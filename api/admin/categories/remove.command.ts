import { audited } from '../../../db/administration/audit/audit.writes';
import { categoryRecord } from '../../../db/catalog/category/administered-category.reads';
import {
  hasProducts,
  hasSubcategories,
  lockTree,
  removeCategory,
} from '../../../db/catalog/category/category.writes';
import { violates } from '../../../db/sql/errors';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { noSuchCategory } from './category.requirements';

/**
 * Deletes a category. Refused: CATEGORY_NOT_FOUND. Chosen: VALIDATION_ERROR while subcategories or products are in it,
 * since only a person can say where they belong then; deleted products do not count and lose the category.
 */
export async function deleteCategory(db: Db, id: string, by: Actor): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      await lockTree(tx);
      const before = await categoryRecord(tx, id);
      if (!before) throw noSuchCategory();
      if (await hasSubcategories(tx, id)) throw subcategoriesInIt();
      if (await hasProducts(tx, id)) throw productsInIt();
      await removeCategory(tx, id);
      const at = new Date();
      await audited(
        tx,
        { ...by, at },
        'category.delete',
        id,
        { name: before.name, slug: before.slug, parentId: before.parentId, deletedAt: null },
        { deletedAt: at },
      );
    });
  } catch (error) {
    if (violates(error, 'products_category_fkey')) throw productsInIt(); // Added between the check and the removal.
    throw error;
  }
}

const subcategoriesInIt = (): Error =>
  businessRefusal(
    'CATEGORY_HAS_SUBCATEGORIES',
    'This category has subcategories. Move or delete them first.',
  );

const productsInIt = (): Error =>
  businessRefusal('CATEGORY_HAS_PRODUCTS', 'This category has products. Move or delete them first.');
