import { levelsBelow, MOST_LEVELS, pathToTop } from '../../../db/catalog/category/category-tree.reads';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';

export const noSuchCategory = (): Error => refusal('CATEGORY_NOT_FOUND', 'There is no such category.');

/**
 * Refuses a parent under which the category (null: a new one) cannot be put: CATEGORY_NOT_FOUND if it does not exist,
 * VALIDATION_ERROR for a cycle or a tree that would become too deep.
 */
export async function requirePlace(tx: Tx, id: string | null, parentId: string | null): Promise<void> {
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

const misplaced = (why: string): Error =>
  refusal('VALIDATION_ERROR', 'The category cannot be put there.', { parentId: [why] });

/** Runs a transaction and refuses with SLUG_ALREADY_EXISTS when it writes a slug that another category has. */
export async function refusingTakenSlug<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'categories_slug_key'))
      throw refusal('SLUG_ALREADY_EXISTS', 'Another category has this slug.');
    throw error;
  }
}
