import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { StockMovement } from './stock-movement.model';

/** A change of the stock of a product or variant. */
export type StockMovementRow = Omit<Attributes<StockMovement>, 'stockItemId'> & {
  /** Null for the product itself. */
  variantId: string | null;
};

/** One page of the stock movements of a product and its variants, deleted ones too, newest first. */
export async function stockMovementsOf(
  db: Db,
  productId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; movements: StockMovementRow[] }> {
  const of = `FROM stock_movements m JOIN stock_items s ON s.id = m.stock_item_id WHERE s.product_id = $1`;
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${of}`, [productId]);
  const movements = await rows<StockMovementRow>(
    db,
    `SELECT m.id, m.kind, m.available_delta, m.reserved_delta, m.reference,
       s.variant_id, m.created_at
     ${of} ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3`,
    [productId, limit, offset],
  );
  return { total: counted?.total ?? 0, movements };
}
