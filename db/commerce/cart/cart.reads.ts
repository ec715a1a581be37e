import type { Attributes } from 'sequelize';
import { cartsKeptSince, type ProductStatus } from '../../../workflows/commerce/cart/cart.rules';
import type { PricedLine } from '../../../workflows/commerce/order/pricing.rules';
import type { Product } from '../../catalog/product/product.model';
import type { ProductVariant } from '../../catalog/variant/product-variant.model';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { CartItem } from './cart-item.model';
import type { Cart } from './cart.model';

type CartProduct = Pick<
  Attributes<Product>,
  | 'id'
  | 'name'
  | 'slug'
  | 'sku'
  | 'compareAtPriceMinor'
  | 'currency'
  | 'trackInventory'
  | 'maxPerLine'
  | 'weightGrams'
  | 'lengthMm'
  | 'widthMm'
  | 'heightMm'
  | 'commissionBp'
  | 'careerPointsBp'
> & {
  /** As set by an administrator; ARCHIVED for a line whose variant is no longer sold. */
  status: ProductStatus;
  /** As shown to buyers: OUT_OF_STOCK when this line's tracked stock is used up. */
  shownStatus: ProductStatus;
  /** The price of the product without a variant. */
  priceMinor: number;
  thumbnailUrl: string | null;
  /** The product's category and all its ancestors. */
  categoryIds: string[];
};

type CartVariant = Pick<Attributes<ProductVariant>, 'id' | 'name' | 'sku' | 'attributes' | 'priceMinor'>;

export interface CartLine extends Pick<Attributes<CartItem>, 'quantity' | 'shownPriceMinor' | 'addedAt'> {
  itemId: string;
  product: CartProduct;
  variant: CartVariant | null;
  /** The price of one unit now. */
  currentPriceMinor: number;
  /** Unreserved stock; null when stock is not tracked, 0 when it is tracked and was never counted. */
  available: number | null;
  /** Null when stock is not tracked or was never counted. */
  stockItemId: string | null;
}

export interface CartContents extends Pick<Attributes<Cart>, 'updatedAt'> {
  cartId: string;
  /** Most carts have no coupons, and so need no second read. */
  hasCoupons: boolean;
  /** Tax of the country of the user's default address, in basis points; 0 without an address or rate. */
  homeTaxBp: number;
  /** In the order of their addition. */
  lines: CartLine[];
}

const CART_LINES = `
  WITH RECURSIVE cart AS (
    SELECT id, updated_at FROM carts WHERE user_id = $1 AND updated_at > $2
  ), above (leaf, id) AS (
    SELECT p.category_id, p.category_id
    FROM cart JOIN cart_items i ON i.cart_id = cart.id JOIN products p ON p.id = i.product_id
    WHERE p.category_id IS NOT NULL
    UNION
    SELECT above.leaf, c.parent_id
    FROM above JOIN categories c ON c.id = above.id
    WHERE c.parent_id IS NOT NULL
  )
  SELECT cart.id AS cart_id, cart.updated_at,
    EXISTS (SELECT 1 FROM cart_coupons cc WHERE cc.cart_id = cart.id) AS has_coupons,
    coalesce((SELECT t.rate_bp FROM addresses a JOIN tax_rates t ON t.country = a.country
      WHERE a.user_id = $1 AND a.is_default), 0) AS home_tax_bp,
    i.id AS item_id,
    json_build_object(
      'id', p.id, 'name', p.name, 'slug', p.slug, 'sku', p.sku,
      'status', CASE WHEN v.deleted_at IS NULL THEN p.status ELSE 'ARCHIVED' END,
      'shownStatus', CASE WHEN v.deleted_at IS NOT NULL THEN 'ARCHIVED'
        WHEN p.status = 'ACTIVE' AND p.track_inventory AND coalesce(s.available, 0) = 0
        THEN 'OUT_OF_STOCK' ELSE p.status END,
      'priceMinor', p.price_minor, 'compareAtPriceMinor', p.compare_at_price_minor, 'currency', p.currency,
      'thumbnailUrl', (SELECT thumbnail_url FROM product_images WHERE product_id = p.id
        ORDER BY is_primary DESC, position, id LIMIT 1),
      'trackInventory', p.track_inventory, 'maxPerLine', p.max_per_line, 'weightGrams', p.weight_grams,
      'lengthMm', p.length_mm, 'widthMm', p.width_mm, 'heightMm', p.height_mm,
      'commissionBp', p.commission_bp, 'careerPointsBp', p.career_points_bp,
      'categoryIds', ARRAY(SELECT id FROM above WHERE leaf = p.category_id)
    ) AS product,
    CASE WHEN v.id IS NOT NULL THEN json_build_object(
      'id', v.id, 'name', v.name, 'sku', v.sku, 'attributes', v.attributes, 'priceMinor', v.price_minor
    ) END AS variant,
    i.quantity, i.shown_price_minor,
    coalesce(v.price_minor, p.price_minor) AS current_price_minor,
    CASE WHEN p.track_inventory THEN coalesce(s.available, 0) END AS available,
    CASE WHEN p.track_inventory THEN s.id END AS stock_item_id,
    i.added_at
  FROM cart
  LEFT JOIN cart_items i ON i.cart_id = cart.id
  LEFT JOIN products p ON p.id = i.product_id
  LEFT JOIN product_variants v ON v.id = i.variant_id
  LEFT JOIN stock_items s ON s.product_id = i.product_id AND s.variant_id IS NOT DISTINCT FROM i.variant_id
  ORDER BY i.added_at, i.id`;

/** An empty cart has one row, without a line. */
type CartRow = Omit<CartContents, 'lines'> & (CartLine | { itemId: null });

/**
 * A user's cart with everything that display, pricing and ordering require, in one statement; null for a user without a
 * cart, and for a cart unchanged for longer than `keptDays`. For an order: `lockCart` first, in the same transaction.
 */
export async function cartLines(db: Db, userId: string, keptDays: number): Promise<CartContents | null> {
  const found = await rows<CartRow>(db, CART_LINES, [userId, cartsKeptSince(new Date(), keptDays)]);
  const [head] = found;
  if (!head) return null;
  const { cartId, updatedAt, hasCoupons, homeTaxBp } = head;
  return { cartId, updatedAt, hasCoupons, homeTaxBp, lines: found.flatMap(linesOf) };
}

/** A cart line as input of the pricing rules. */
export const pricedLine = (line: CartLine): PricedLine => ({
  productId: line.product.id,
  categoryIds: line.product.categoryIds,
  unitPriceMinor: line.currentPriceMinor,
  quantity: line.quantity,
});

/** Locks a user's cart against every other change until the transaction ends; its id, null as in `cartLines`. */
export async function lockCart(tx: Tx, userId: string, keptDays: number): Promise<string | null> {
  const cart = await firstRow<Pick<Attributes<Cart>, 'id'>>(
    tx,
    'SELECT id FROM carts WHERE user_id = $1 AND updated_at > $2 FOR UPDATE',
    [userId, cartsKeptSince(new Date(), keptDays)],
  );
  return cart?.id ?? null;
}

function linesOf(row: CartRow): CartLine[] {
  const { cartId: _cartId, updatedAt: _updatedAt, hasCoupons: _coupons, homeTaxBp: _tax, ...line } = row;
  return line.itemId === null ? [] : [line];
}
