import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import type { ProductDailySale } from './product-daily-sale.model';

/** Sold units of one product. */
export type UnitsSold = Pick<Attributes<ProductDailySale>, 'productId'> & { quantity: number };

/** Adds units to the sales of the day of `paidAt`, or with `sign` -1 subtracts those of a cancelled order. */
export async function countSales(
  tx: Tx,
  units: readonly UnitsSold[],
  paidAt: string,
  sign: 1 | -1,
): Promise<void> {
  const bind = [units.map((unit) => unit.productId), units.map((unit) => unit.quantity * sign)];
  await execute(
    tx,
    `INSERT INTO product_daily_sales (product_id, day, units)
     SELECT u.product_id, ($3::timestamptz AT TIME ZONE 'UTC')::date, sum(u.quantity)
     FROM unnest($1::uuid[], $2::int[]) AS u(product_id, quantity) GROUP BY u.product_id ORDER BY u.product_id
     ON CONFLICT ON CONSTRAINT product_daily_sales_pkey
     DO UPDATE SET units = product_daily_sales.units + EXCLUDED.units`,
    [...bind, paidAt],
  );
  await execute(
    tx,
    `WITH sold AS (
       SELECT u.product_id, sum(u.quantity)::int AS quantity
       FROM unnest($1::uuid[], $2::int[]) AS u(product_id, quantity) GROUP BY u.product_id
     ), locked AS (
       SELECT p.id FROM products p JOIN sold s ON s.product_id = p.id ORDER BY p.id FOR NO KEY UPDATE OF p
     )
     UPDATE products p SET units_sold_90d = greatest(0, p.units_sold_90d + s.quantity)
     FROM sold s JOIN locked l ON l.id = s.product_id WHERE p.id = s.product_id`,
    bind,
  );
}
