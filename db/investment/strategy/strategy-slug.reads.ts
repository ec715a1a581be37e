import { firstRow, type Db } from '../../sql/query';

/** The id of the strategy with a slug, whatever its status; null if there is none. */
export async function strategyIdOfSlug(db: Db, slug: string): Promise<string | null> {
  const row = await firstRow<{ id: string }>(db, 'SELECT id FROM investment_strategies WHERE slug = $1', [
    slug,
  ]);
  return row?.id ?? null;
}
