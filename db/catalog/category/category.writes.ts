import { execute, firstRow, type Tx } from '../../sql/query';
import type { CategoryRecord } from './administered-category.reads';

/** Any number, as long as nothing else takes an advisory lock of it. */
const TREE_LOCK = 7_310_219;

/** The fields of a category that administrators set. */
export type CategorySettings = Omit<CategoryRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** Locks the tree until the end of the transaction: two moves at once could make a cycle that neither makes by itself. */
export async function lockTree(tx: Tx): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(${TREE_LOCK})`);
}

export async function insertCategory(
  tx: Tx,
  id: string,
  settings: CategorySettings,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO categories (name, slug, description, image_url, parent_id, position, is_active, updated_at, created_at, id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [...columns(settings), at, id],
  );
}

export async function updateCategory(
  tx: Tx,
  id: string,
  settings: CategorySettings,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `UPDATE categories SET name = $1, slug = $2, description = $3, image_url = $4, parent_id = $5, position = $6,
       is_active = $7, updated_at = $8 WHERE id = $9`,
    [...columns(settings), at, id],
  );
}

const columns = (settings: CategorySettings): unknown[] => [
  settings.name,
  settings.slug,
  settings.description,
  settings.imageUrl,
  settings.parentId,
  settings.position,
  settings.isActive,
];

/** Removes a category with its counts; the deleted products that were in it lose it. */
export async function removeCategory(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'UPDATE products SET category_id = NULL WHERE category_id = $1', [id]);
  await execute(tx, 'DELETE FROM catalogue_counts WHERE category_id = $1', [id]);
  await execute(tx, 'DELETE FROM categories WHERE id = $1', [id]);
}

/** Whether a category has subcategories. */
export const hasSubcategories = async (tx: Tx, id: string): Promise<boolean> =>
  (await firstRow(tx, 'SELECT 1 FROM categories WHERE parent_id = $1 LIMIT 1', [id])) !== null;

/** Whether products that are not deleted are in a category. */
export const hasProducts = async (tx: Tx, id: string): Promise<boolean> =>
  (await firstRow(tx, 'SELECT 1 FROM products WHERE category_id = $1 AND deleted_at IS NULL LIMIT 1', [
    id,
  ])) !== null;

/** The position after the last child of `parentId`; null stands for the top of the tree. */
export async function nextPosition(tx: Tx, parentId: string | null): Promise<number> {
  const last = await firstRow<{ next: number }>(
    tx,
    `SELECT coalesce(max(position) + 1, 0) AS next FROM categories WHERE parent_id IS NOT DISTINCT FROM $1::uuid`,
    [parentId],
  );
  return last?.next ?? 0;
}
