import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { StockMovement } from './stock-movement.model';

/** A change of the stock of a product or variant. */
export type StockMovementRow = Omit<Attributes<StockMovement>, 'stockItemId'> & {
  /** Null for the product itself. */
  variantId: string | null;
  /** The administrator who counted; null for any other movement. */
  actor: { id: string; email: string } | null;
  /** The order that the movement belongs to, also through a refund of it. */
  orderId: string | null;
  orderNumber: string | null;
};

/** The id in a reference of this kind, as the writers of movements build it; null in any other. */
const idOf = (kind: 'order' | 'refund' | 'count'): string =>
  `CASE WHEN p.reference ~ '^${kind}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:'
     THEN split_part(p.reference, ':', 2)::uuid END`;

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
       SELECT m.id, m.kind, m.available_delta, m.reserved_delta, m.reference, s.variant_id, m.created_at
       ${of} ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3)
     SELECT p.*, o.id AS order_id, o.number AS order_number,
       CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'email', u.email) END AS actor
     FROM p LEFT JOIN refund_requests r ON r.id = ${idOf('refund')}
       LEFT JOIN orders o ON o.id = coalesce(${idOf('order')}, r.order_id)
       LEFT JOIN users u ON u.id = ${idOf('count')}
     ORDER BY p.created_at DESC, p.id DESC`,
    [productId, limit, offset],
  );
  return { total: counted?.total ?? 0, movements };
}
