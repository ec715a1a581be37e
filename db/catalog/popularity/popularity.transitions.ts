import { execute, rows, type Tx } from '../../sql/query';

/** Products whose popularity differs from their sales, with the right `units`; `$1`: current time, `$2`: window in days. */
const OUTDATED = `
  SELECT p.id, coalesce(sold.units, 0) AS units
  FROM products p LEFT JOIN (
    SELECT product_id, greatest(0, sum(units))::int AS units FROM product_daily_sales
    WHERE day > ($1::timestamptz AT TIME ZONE 'UTC')::date - $2::int GROUP BY product_id
  ) sold ON sold.product_id = p.id
  WHERE p.units_sold_90d <> coalesce(sold.units, 0)`;

/**
 * Sets popularity to the units sold in the `windowDays` days that end with the day of `at` (UTC), for the next `limit` products
 * behind `after` where it differs. Returns the number of products changed, and the last of them; null if there are no more.
 */
export async function recountUnitsSold(
  tx: Tx,
  { at, after, limit, windowDays }: { at: Date; after: string | null; limit: number; windowDays: number },
): Promise<{ changed: number; after: string | null }> {
  // A sale being written locks its product, so this waits for it. The second statement then sees it, and changes only
  // products that the first has locked.
  const locked = await rows<{ id: string }>(
    tx,
    `SELECT id FROM products WHERE id IN (
       SELECT id FROM (${OUTDATED}) outdated WHERE $4::uuid IS NULL OR id > $4 ORDER BY id LIMIT $3)
     ORDER BY id FOR NO KEY UPDATE`,
    [at, windowDays, limit, after],
  );
  if (locked.length === 0) return { changed: 0, after: null };
  await execute(
    tx,
    `UPDATE products p SET units_sold_90d = outdated.units
     FROM (${OUTDATED}) outdated WHERE p.id = outdated.id AND p.id = ANY($3::uuid[])`,
    [at, windowDays, locked.map(({ id }) => id)],
  );
  return { changed: locked.length, after: locked.length < limit ? null : (locked.at(-1)?.id ?? null) };
}
