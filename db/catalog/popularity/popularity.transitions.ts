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
 * Sets popularity to the units sold in the `windowDays` days that end with the day of `at` (UTC), for at most `limit`
 * products where it differs. Answers the number of products changed.
 */
export async function recountUnitsSold(
  tx: Tx,
  { at, limit, windowDays }: { at: string; limit: number; windowDays: number },
): Promise<number> {
  await execute(tx, `SET LOCAL statement_timeout = '60s'`); // Reads all sales of the window, in the background.
  await execute(tx, `SET LOCAL lock_timeout = '30s'`);
  // A sale being written locks its product, so this waits for it. The second statement then sees it, and changes only
  // products that the first has locked.
  const locked = await rows<{ id: string }>(
    tx,
    `SELECT id FROM products WHERE id IN (SELECT id FROM (${OUTDATED}) outdated ORDER BY id LIMIT $3)
     ORDER BY id FOR NO KEY UPDATE`,
    [at, windowDays, limit],
  );
  if (locked.length === 0) return 0;
  await execute(
    tx,
    `UPDATE products p SET units_sold_90d = outdated.units
     FROM (${OUTDATED}) outdated WHERE p.id = outdated.id AND p.id = ANY($3::uuid[])`,
    [at, windowDays, locked.map(({ id }) => id)],
  );
  return locked.length;
}
