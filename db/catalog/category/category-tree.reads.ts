import { firstRow, rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';

/** Chosen: the most levels of the tree. Queries that climb it stop here too, in case it ever has a cycle. */
export const MOST_LEVELS = 20;

/** The order in which siblings are shown. */
export const SIBLINGS = `c.position, ${byName('c.name')}, c.id`;

/** Ids of the categories that visitors do not see: inactive ones and all below them. */
export const HIDDEN_CATEGORIES = `ARRAY(
  WITH RECURSIVE hidden AS (
    SELECT id FROM categories WHERE NOT is_active
    UNION SELECT child.id FROM categories child JOIN hidden ON child.parent_id = hidden.id
  ) SELECT id FROM hidden)`;

/** A CTE for WITH RECURSIVE: a category `c` and all above it, as `up (id, parent_id, name, slug, height)`. */
export const PATH_UP = `
  up AS (
    SELECT c.id, c.parent_id, c.name, c.slug, 0 AS height
    UNION ALL
    SELECT a.id, a.parent_id, a.name, a.slug, up.height + 1
    FROM categories a JOIN up ON a.id = up.parent_id WHERE up.height < ${MOST_LEVELS}
  )`;

/** Ids of a category and of all above it; empty if it does not exist. */
export async function pathToTop(db: Db, id: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `WITH RECURSIVE up AS (
       SELECT id, parent_id FROM categories WHERE id = $1
       UNION SELECT a.id, a.parent_id FROM categories a JOIN up ON a.id = up.parent_id
     ) SELECT id FROM up`,
    [id],
  );
  return found.map((row) => row.id);
}

/** The number of levels below a category; 0 for one without children. */
export async function levelsBelow(db: Db, id: string): Promise<number> {
  const found = await firstRow<{ levels: number }>(
    db,
    `WITH RECURSIVE below AS (
       SELECT id, 0 AS depth FROM categories WHERE id = $1
       UNION ALL SELECT c.id, below.depth + 1 FROM categories c JOIN below ON c.parent_id = below.id
       WHERE below.depth < ${MOST_LEVELS}
     ) SELECT coalesce(max(depth), 0)::int AS levels FROM below`,
    [id],
  );
  return found?.levels ?? 0;
}
