import { execute, rows, type Tx } from '../../sql/query';

/** `id` and `units` of every product whose popularity is not what its sales say; `$1` is the moment of asking, `$2` days. */
const WRONG = `
  SELECT p.id, coalesce(sold.units, 0) AS units
  FROM products p LEFT JOIN (
    SELECT product_id, greatest(0, sum(units))::int AS units FROM product_daily_sales
    WHERE day > ($1::timestamptz AT TIME ZONE 'UTC')::date - $2::int GROUP BY product_id
  ) sold ON sold.product_id = p.id
  WHERE p.units_sold_90d <> coalesce(sold.units, 0)`;

/**
 * Makes popularity the units sold in the `windowDays` days that end with the day of `at` (UTC), for at most `limit`
 * products of which it is something else. Answers how many those were.
 */
export async function recountUnitsSold(
  tx: Tx,
  { at, limit, windowDays }: { at: string; limit: number; windowDays: number },
): Promise<number> {
  await execute(tx, `SET LOCAL statement_timeout = '60s'`); // Reads all sales of the window; nobody waits for it.
  await execute(tx, `SET LOCAL lock_timeout = '30s'`);
  // A sale that is being written holds its product, so the recount waits for it and then sees it: the second
  // statement looks afresh, and only at what the first has locked.
  const locked = await rows<{ id: string }>(
    tx,
    `SELECT id FROM products WHERE id IN (SELECT id FROM (${WRONG}) wrong ORDER BY id LIMIT $3)
     ORDER BY id FOR NO KEY UPDATE`,
    [at, windowDays, limit],
  );
  if (locked.length === 0) return 0;
  await execute(
    tx,
    `UPDATE products p SET units_sold_90d = wrong.units
     FROM (${WRONG}) wrong WHERE p.id = wrong.id AND p.id = ANY($3::uuid[])`,
    [at, windowDays, locked.map(({ id }) => id)],
  );
  return locked.length;
}
