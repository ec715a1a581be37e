import type { Goods } from '../../../workflows/commerce/shipping/shipping.rules';
import { rows, type Db } from '../../sql/query';

/** Goods that somebody asks about, without a cart. */
export interface AskedGoods {
  productId: string;
  variantId: string | null;
  quantity: number;
}

export interface GoodsToShip extends Goods {
  /** False for what visitors cannot see: drafts, and what is no longer sold. */
  productExists: boolean;
  /** False for a variant that is not this product's. */
  variantExists: boolean;
  /** The variant's where one is asked for. */
  priceMinor: number;
}

/** What is asked about, each in its place, whether or not it is there. A variant weighs what its product weighs. */
export function goodsToShip(db: Db, asked: readonly AskedGoods[]): Promise<GoodsToShip[]> {
  return rows<GoodsToShip>(
    db,
    `SELECT p.id IS NOT NULL AS product_exists, asked.variant_id IS NULL OR v.id IS NOT NULL AS variant_exists,
       coalesce(v.price_minor, p.price_minor, 0) AS price_minor, asked.quantity, p.weight_grams,
       p.length_mm, p.width_mm, p.height_mm
     FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY
       AS asked (product_id, variant_id, quantity, place)
     LEFT JOIN products p ON p.id = asked.product_id AND p.status IN ('ACTIVE', 'OUT_OF_STOCK')
     LEFT JOIN product_variants v ON v.id = asked.variant_id AND v.product_id = p.id AND v.deleted_at IS NULL
     ORDER BY asked.place`,
    [
      asked.map(({ productId }) => productId),
      asked.map(({ variantId }) => variantId),
      asked.map(({ quantity }) => quantity),
    ],
  );
}
