import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { CatalogueCount } from '../catalogue-change/catalogue-count.model';
import { Product } from '../product/product.model';
import type { CategoryRecord } from './administered-category.reads';
import { Category } from './category.model';

/** Any number, as long as nothing else takes an advisory lock of it. */
const TREE_LOCK = 7_310_219;

/** The fields of a category that administrators set. */
export type CategorySettings = Omit<CategoryRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** Locks the tree until the end of the transaction: two moves, each without a cycle, could make one together. */
export async function lockTree(tx: Tx): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(${TREE_LOCK})`);
}

export const insertCategory = (tx: Tx, id: string, settings: CategorySettings, at: Date): Promise<void> =>
  table(tx, Category).insert({ ...settings, id, createdAt: at, updatedAt: at });

export async function updateCategory(
  tx: Tx,
  id: string,
  { name, slug, description, imageUrl, parentId, position, isActive }: CategorySettings,
  at: Date,
): Promise<void> {
  const settings = { name, slug, description, imageUrl, parentId, position, isActive };
  await table(tx, Category).update({ ...settings, updatedAt: at }, { id });
}

/** Removes a category with its counts; the deleted products that were in it lose it. */
export async function removeCategory(tx: Tx, id: string): Promise<void> {
  await table(tx, Product).update({ categoryId: null }, { categoryId: id });
  await table(tx, CatalogueCount).remove({ categoryId: id });
  await table(tx, Category).remove({ id });
}

/** True if a category has subcategories. */
export const hasSubcategories = async (tx: Tx, id: string): Promise<boolean> =>
  (await table(tx, Category).one(['id'], { parentId: id })) !== null;

/** True if products that are not deleted are in a category. */
export const hasProducts = async (tx: Tx, id: string): Promise<boolean> =>
  (await table(tx, Product).one(['id'], { categoryId: id, deletedAt: null })) !== null;

/** The position after the last child of `parentId`; null stands for the top of the tree. */
export async function nextPosition(tx: Tx, parentId: string | null): Promise<number> {
  const last = await firstRow<{ next: number }>(
    tx,
    `SELECT coalesce(max(position) + 1, 0) AS next FROM categories WHERE parent_id IS NOT DISTINCT FROM $1::uuid`,
    [parentId],
  );
  return last?.next ?? 0;
}
