import { firstRow, type Tx } from '../../sql/query';
import type { CountedGoods } from '../stock/stock-adjustment.writes';

/** True if an order that is not sent yet contains a product, or one variant of it. */
export async function hasPendingOrders(tx: Tx, { productId, variantId }: CountedGoods): Promise<boolean> {
  const pending = await firstRow(
    tx,
    `SELECT 1 AS one FROM order_items i JOIN orders o ON o.id = i.order_id
     WHERE i.product_id = $1 AND ($2::uuid IS NULL OR i.variant_id = $2)
       AND o.status IN ('PENDING_PAYMENT', 'PAID', 'PROCESSING') LIMIT 1`,
    [productId, variantId],
  );
  return pending !== null;
}
