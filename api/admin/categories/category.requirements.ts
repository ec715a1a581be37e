import { levelsBelow, MOST_LEVELS, pathToTop } from '../../../db/catalog/category/category-tree.reads';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { businessRefusal, refusal } from '../../../workflows/errors';

export const noSuchCategory = (): Error => refusal('CATEGORY_NOT_FOUND');

/**
 * Refuses a parent under which the category (null: a new one) cannot be put: CATEGORY_NOT_FOUND if it does not exist,
 * VALIDATION_ERROR for a cycle or a tree that would become too deep.
 */
export async function requirePlace(tx: Tx, id: string | null, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const path = await pathToTop(tx, parentId);
  if (path.length === 0)
    throw refusal('CATEGORY_NOT_FOUND', 'No such parent category.', {
      parentId: ['is not a category'],
    });
  if (id !== null && path.includes(id))
    throw businessRefusal('CATEGORY_UNDER_ITSELF', 'A category cannot be moved below itself.', {
      parentId: ['must be neither the category itself nor one below it'],
    });
  const levels = 1 + (id === null ? 0 : await levelsBelow(tx, id));
  if (path.length + levels > MOST_LEVELS)
    throw businessRefusal(
      'CATEGORY_NESTED_TOO_DEEP',
      `Categories can be nested at most ${MOST_LEVELS} levels deep.`,
      {
        parentId: ['is too deep'],
      },
    );
}

/** Runs a transaction and refuses with SLUG_ALREADY_EXISTS when it writes a slug that another category has. */
export async function refusingTakenSlug<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'categories_slug_key'))
      throw refusal('SLUG_ALREADY_EXISTS', 'A category with this slug already exists.');
    throw error;
  }
}
