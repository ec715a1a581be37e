import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { StockMovement } from './stock-movement.model';

/** A change of the stock of a product or variant. */
export type StockMovementRow = Omit<Attributes<StockMovement>, 'stockItemId' | 'countedBy'> & {
  /** Null for the product itself. */
  variantId: string | null;
  /** The administrator who counted or who approved the refund; null for any other movement. */
  actor: { id: string; email: string } | null;
  orderNumber: string | null;
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
    `WITH p AS MATERIALIZED (
       SELECT m.id, m.kind, m.available_delta, m.reserved_delta, m.order_id, m.refund_request_id, m.counted_by,
         s.variant_id, m.created_at
       ${of} ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3)
     SELECT p.id, p.kind, p.available_delta, p.reserved_delta, p.order_id, o.number AS order_number,
       p.refund_request_id, p.variant_id, p.created_at,
       CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'email', u.email) END AS actor
     FROM p LEFT JOIN orders o ON o.id = p.order_id LEFT JOIN refund_requests r ON r.id = p.refund_request_id
       LEFT JOIN users u ON u.id = coalesce(p.counted_by, r.decided_by)
     ORDER BY p.created_at DESC, p.id DESC`,
    [productId, limit, offset],
  );
  return { total: counted?.total ?? 0, movements };
}
