import { firstRow, type Db } from '../../sql/query';

/** The id of the category with a slug, visible or not; null if there is none. */
export async function categoryIdOfSlug(db: Db, slug: string): Promise<string | null> {
  const row = await firstRow<{ id: string }>(db, 'SELECT id FROM categories WHERE slug = $1', [slug]);
  return row?.id ?? null;
}
