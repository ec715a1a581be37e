import type { Goods } from '../../../workflows/commerce/shipping/shipping.rules';
import { rows, type Db } from '../../sql/query';

/** Goods of a shipping quote, without a cart. */
export interface QuotedGoods {
  productId: string;
  variantId: string | null;
  quantity: number;
}

export interface GoodsToShip extends Goods {
  /** False for products that visitors cannot see: drafts, and products that are no longer sold. */
  productExists: boolean;
  /** False for a variant of another product. */
  variantExists: boolean;
  /** The variant's price where a variant is requested. */
  priceMinor: number;
}

/** The goods in the order of the request, whether or not they exist. A variant has the weight of its product. */
export function goodsToShip(db: Db, goods: readonly QuotedGoods[]): Promise<GoodsToShip[]> {
  return rows<GoodsToShip>(
    db,
    `SELECT p.id IS NOT NULL AS product_exists, requested.variant_id IS NULL OR v.id IS NOT NULL AS variant_exists,
       coalesce(v.price_minor, p.price_minor, 0) AS price_minor, requested.quantity, p.weight_grams,
       p.length_mm, p.width_mm, p.height_mm
     FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY
       AS requested (product_id, variant_id, quantity, place)
     LEFT JOIN products p ON p.id = requested.product_id AND p.status IN ('ACTIVE', 'OUT_OF_STOCK')
     LEFT JOIN product_variants v ON v.id = requested.variant_id AND v.product_id = p.id AND v.deleted_at IS NULL
     ORDER BY requested.place`,
    [
      goods.map(({ productId }) => productId),
      goods.map(({ variantId }) => variantId),
      goods.map(({ quantity }) => quantity),
    ],
  );
}
