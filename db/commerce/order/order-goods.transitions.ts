import type { Attributes } from 'sequelize';
import type { UnitsSold } from '../../catalog/popularity/sales.transitions';
import type { StockAmount } from '../../catalog/stock/stock.transitions';
import { firstRow, rows, type Tx } from '../../sql/query';
import type { OrderItem } from './order-item.model';

/** Units of a line of an order. */
export interface LineUnits {
  itemId: string;
  quantity: number;
}

/** The goods of an order: quantities of stock items, and units of products for popularity. */
export async function orderGoods(
  tx: Tx,
  orderId: string,
): Promise<{ stock: StockAmount[]; units: UnitsSold[] }> {
  const items = await rows<Pick<Attributes<OrderItem>, 'productId' | 'stockItemId' | 'quantity'>>(
    tx,
    `SELECT product_id, stock_item_id, quantity FROM order_items WHERE order_id = $1`,
    [orderId],
  );
  return { stock: tracked(items), units: items };
}

/**
 * Counts units as refunded, which are then no longer shipped; returns what was not refunded before. `units`: null for all
 * that are left. More than are left violates `order_items_refunded_check`. The order is locked.
 */
export const countUnitsRefunded = (
  tx: Tx,
  orderId: string,
  units: readonly LineUnits[] | null,
): Promise<UnitsSold[]> => countUnits(tx, 'refunded_quantity', orderId, units);

/**
 * Counts units as available again; returns the stock that they are of. `units`: null for all that are not yet. More than
 * there are violates `order_items_restocked_check`. The order is locked.
 */
export const countUnitsRestocked = async (
  tx: Tx,
  orderId: string,
  units: readonly LineUnits[] | null,
): Promise<StockAmount[]> => tracked(await countUnits(tx, 'restocked_quantity', orderId, units));

async function countUnits(
  tx: Tx,
  column: 'refunded_quantity' | 'restocked_quantity',
  orderId: string,
  units: readonly LineUnits[] | null,
): Promise<(UnitsSold & { stockItemId: string | null })[]> {
  const counted = await rows<UnitsSold & { stockItemId: string | null }>(
    tx,
    `UPDATE order_items i SET ${column} = i.${column} + u.quantity
     FROM (SELECT o.id, coalesce(named.quantity, o.quantity - o.${column}) AS quantity FROM order_items o
       LEFT JOIN unnest($2::uuid[], $3::int[]) AS named (id, quantity) ON named.id = o.id
       WHERE o.order_id = $1 AND ($2::uuid[] IS NULL OR named.id IS NOT NULL)) AS u
     WHERE i.id = u.id AND u.quantity > 0
     RETURNING i.product_id, i.stock_item_id, u.quantity`,
    [orderId, units?.map(({ itemId }) => itemId) ?? null, units?.map(({ quantity }) => quantity) ?? null],
  );
  if (units && counted.length !== units.length)
    throw new Error(`Order ${orderId} does not have all of these lines.`);
  return counted;
}

/** True if the order has a unit that is not refunded. The order is locked. */
export const hasUnitsToShip = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await firstRow(
    tx,
    `SELECT 1 FROM order_items WHERE order_id = $1 AND refunded_quantity < quantity LIMIT 1`,
    [orderId],
  )) !== null;

const tracked = (items: readonly (UnitsSold & { stockItemId: string | null })[]): StockAmount[] =>
  items.flatMap(({ stockItemId, quantity }) => (stockItemId === null ? [] : [{ stockItemId, quantity }]));
