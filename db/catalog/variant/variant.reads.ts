import type { Attributes } from 'sequelize';
import { firstRow, type Tx } from '../../sql/query';
import type { ProductVariant } from './product-variant.model';

/** A variant that is not deleted. */
export type VariantRecord = Pick<
  Attributes<ProductVariant>,
  'id' | 'name' | 'sku' | 'priceMinor' | 'attributes'
> & {
  /** Units that may be ordered; 0 if it was never counted. */
  stockQuantity: number;
};

/** A variant, locked as `lockProduct` locks; null if it is deleted or the product does not have it. */
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

/** The number of variants that a product has, and the last position ever used; null if it never had any. */
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
