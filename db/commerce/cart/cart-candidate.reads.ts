import type { ProductStatus } from '../../../workflows/commerce/cart/cart.rules';
import { firstRow, type Db } from '../../sql/query';

/** Goods that may be put into a cart. */
export interface CartCandidate {
  name: string;
  status: ProductStatus;
  /** The variant's price where a variant is requested. */
  priceMinor: number;
  maxPerLine: number;
  /** Unreserved stock; null when stock is not tracked. */
  available: number | null;
  /** The units that the cart already holds. */
  inCart: number;
  /** False for a requested variant that this product does not have. */
  variantExists: boolean;
}

/** A product, or one variant of it, for a cart; null when there is no such product. */
export async function cartCandidate(
  db: Db,
  { cartId, productId, variantId }: { cartId: string; productId: string; variantId: string | null },
): Promise<CartCandidate | null> {
  return firstRow<CartCandidate>(
    db,
    `SELECT p.name, p.status, coalesce(v.price_minor, p.price_minor) AS price_minor,
       p.max_per_line,
       CASE WHEN p.track_inventory THEN coalesce(s.available, 0) END AS available,
       coalesce(i.quantity, 0) AS in_cart,
       ($3::uuid IS NULL OR v.id IS NOT NULL) AS variant_exists
     FROM products p
     LEFT JOIN product_variants v ON v.id = $3 AND v.product_id = p.id AND v.deleted_at IS NULL
     LEFT JOIN stock_items s ON s.product_id = p.id AND s.variant_id IS NOT DISTINCT FROM $3::uuid
     LEFT JOIN cart_items i
       ON i.cart_id = $1 AND i.product_id = p.id AND i.variant_id IS NOT DISTINCT FROM $3::uuid
     WHERE p.id = $2`,
    [cartId, productId, variantId],
  );
}
