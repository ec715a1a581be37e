import { firstRow, type Tx } from '../../sql/query';

/** A variant that is sold. */
export interface VariantRecord {
  id: string;
  name: string;
  sku: string;
  priceMinor: number;
  attributes: Record<string, string>;
  /** What may be ordered of it; 0 when nobody has counted. */
  stockQuantity: number;
}

/** A variant that is not deleted, locked as `lockProduct` locks; null when the product has none such. */
export function lockVariant(
  tx: Tx,
  { productId, variantId }: { productId: string; variantId: string },
  against: 'changes' | 'changes and orders' = 'changes',
): Promise<VariantRecord | null> {
  return firstRow<VariantRecord>(
    tx,
    `SELECT v.id, v.name, v.sku, v.price_minor, v.attributes,
       coalesce((SELECT s.available FROM stock_items s
         WHERE s.product_id = v.product_id AND s.variant_id = v.id), 0) AS stock_quantity
     FROM product_variants v WHERE v.id = $2 AND v.product_id = $1 AND v.deleted_at IS NULL
     FOR ${against === 'changes' ? 'NO KEY UPDATE' : 'UPDATE'} OF v`,
    [productId, variantId],
  );
}

/** How many variants a product has, and the last place among them; null for a product without. */
export async function variantsOf(
  tx: Tx,
  productId: string,
): Promise<{ count: number; lastPosition: number | null }> {
  const found = await firstRow<{ count: number; lastPosition: number | null }>(
    tx,
    `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS count, max(position) AS last_position
     FROM product_variants WHERE product_id = $1`,
    [productId],
  );
  return found ?? { count: 0, lastPosition: null };
}
