import { slugOf } from '../../../workflows/catalog/slug.rules';
import { refusal } from '../../../workflows/errors';
import { recordAudit, type Change } from '../../administration/audit/audit.writes';
import { changedFields } from '../../administration/audit/changed-fields';
import { violates } from '../../sql/errors';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { categoryRecord, freeSlug, type CategoryRecord } from './category-record.reads';
import { levelsBelow, MOST_LEVELS, pathToTop } from './category-tree.reads';

/** Any number, as long as nothing else takes an advisory lock of it. */
const TREE_LOCK = 7_310_219;

/** Who changes something, and from where. */
type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

/** What administrators set of a category. */
type CategorySettings = Omit<CategoryRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** Without a slug one is made of the name; without a position it is the last of its siblings. */
type NewCategory = Omit<CategorySettings, 'slug' | 'position'> &
  Partial<Pick<CategorySettings, 'slug' | 'position'>>;

/**
 * Makes a category; the same id made again is answered with what is there. Refused: CATEGORY_NOT_FOUND for a parent that
 * is not there, SLUG_ALREADY_EXISTS for a slug that was given, VALIDATION_ERROR where the tree would become too deep.
 */
export function createCategory(db: Db, id: string, wished: NewCategory, by: Actor): Promise<CategoryRecord> {
  return unlessSlugIsTaken(() =>
    alone(db, async (tx) => {
      const already = await categoryRecord(tx, id);
      if (already) return already;
      await requirePlace(tx, null, wished.parentId);
      const settings = {
        ...wished,
        slug: wished.slug ?? (await freeSlug(tx, slugOf(wished.name, 'category'))),
        position: wished.position ?? (await nextPosition(tx, wished.parentId)),
      };
      const at = new Date();
      await execute(
        tx,
        `INSERT INTO categories (name, slug, description, image_url, parent_id, position, is_active, updated_at, created_at, id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
        [...columns(settings), at, id],
      );
      const next = settings;
      await recordAudit(tx, { ...by, ...entity(id), action: 'category.create', previous: null, next, at });
      return { ...settings, id, createdAt: at, updatedAt: at };
    }),
  );
}

/**
 * Changes what is given of a category; null when there is none, and no change leaves no trace. Refused as
 * `createCategory`, and with VALIDATION_ERROR when it would come to hang under itself.
 */
export function changeCategory(
  db: Db,
  id: string,
  changes: Partial<CategorySettings>,
  by: Actor,
): Promise<CategoryRecord | null> {
  return unlessSlugIsTaken(() =>
    alone(db, async (tx) => {
      const before = await categoryRecord(tx, id);
      if (!before) return null;
      const after = { ...before, ...changes };
      const changed = changedFields(before, after);
      if (!changed) return before;
      if ('parentId' in changed.next) await requirePlace(tx, id, after.parentId);
      const at = new Date();
      await execute(
        tx,
        `UPDATE categories SET name = $1, slug = $2, description = $3, image_url = $4, parent_id = $5, position = $6,
           is_active = $7, updated_at = $8 WHERE id = $9`,
        [...columns(after), at, id],
      );
      await recordAudit(tx, { ...by, ...entity(id), action: 'category.update', ...changed, at });
      return { ...after, updatedAt: at };
    }),
  );
}

/**
 * Deletes a category; whether there was one. Chosen: refused with VALIDATION_ERROR while subcategories or products are in
 * it, for nobody can say where they belong then; products that were deleted themselves don't count and lose it.
 */
export async function deleteCategory(db: Db, id: string, by: Actor): Promise<boolean> {
  try {
    return await alone(db, async (tx) => {
      const before = await categoryRecord(tx, id);
      if (!before) return false;
      if (await isThere(tx, 'SELECT 1 FROM categories WHERE parent_id = $1', id)) throw hasChildren();
      if (await isThere(tx, 'SELECT 1 FROM products WHERE category_id = $1 AND deleted_at IS NULL', id))
        throw hasProducts();
      await execute(tx, 'UPDATE products SET category_id = NULL WHERE category_id = $1', [id]);
      await execute(tx, 'DELETE FROM catalogue_counts WHERE category_id = $1', [id]);
      await execute(tx, 'DELETE FROM categories WHERE id = $1', [id]);
      const previous = { name: before.name, slug: before.slug, parentId: before.parentId, deletedAt: null };
      const at = new Date();
      const next = { deletedAt: at };
      await recordAudit(tx, { ...by, ...entity(id), action: 'category.delete', previous, next, at });
      return true;
    });
  } catch (error) {
    if (violates(error, 'products_category_fkey')) throw hasProducts(); // Put into it at this very moment.
    throw error;
  }
}

const entity = (id: string) => ({ entityType: 'category', entityId: id });

const columns = (settings: CategorySettings): unknown[] => [
  settings.name,
  settings.slug,
  settings.description,
  settings.imageUrl,
  settings.parentId,
  settings.position,
  settings.isActive,
];

/** Runs work while nobody else changes the tree: two moves that are fine alone could make a ring together. */
function alone<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await execute(tx, `SELECT pg_advisory_xact_lock(${TREE_LOCK})`);
    return work(tx);
  });
}

/** Refuses a parent under which the category (null: a new one) cannot hang. */
async function requirePlace(tx: Tx, id: string | null, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const path = await pathToTop(tx, parentId);
  if (path.length === 0)
    throw refusal('CATEGORY_NOT_FOUND', 'There is no category to put it under.', {
      parentId: ['is no category'],
    });
  if (id !== null && path.includes(id))
    throw misplaced('must be neither the category itself nor one below it');
  const levels = 1 + (id === null ? 0 : await levelsBelow(tx, id));
  if (path.length + levels > MOST_LEVELS)
    throw misplaced(`leaves no room: categories nest at most ${MOST_LEVELS} deep`);
}

async function nextPosition(tx: Tx, parentId: string | null): Promise<number> {
  const last = await firstRow<{ next: number }>(
    tx,
    `SELECT coalesce(max(position) + 1, 0) AS next FROM categories WHERE parent_id IS NOT DISTINCT FROM $1::uuid`,
    [parentId],
  );
  return last?.next ?? 0;
}

const isThere = async (tx: Tx, query: string, id: string): Promise<boolean> =>
  (await firstRow(tx, `${query} LIMIT 1`, [id])) !== null;

const misplaced = (why: string): Error =>
  refusal('VALIDATION_ERROR', 'The category cannot hang there.', { parentId: [why] });

const hasChildren = (): Error =>
  refusal('VALIDATION_ERROR', 'The category has subcategories. Move or delete them first.', {
    id: ['must have no subcategories'],
  });

const hasProducts = (): Error =>
  refusal('VALIDATION_ERROR', 'Products are in the category. Move or delete them first.', {
    id: ['must have no products'],
  });

async function unlessSlugIsTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violates(error, 'categories_slug_key'))
      throw refusal('SLUG_ALREADY_EXISTS', 'Another category has this slug.');
    throw error;
  }
}
