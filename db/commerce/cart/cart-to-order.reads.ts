import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import { firstRow, type Db, type Tx } from '../../sql/query';

/**
 * The version of a cart's contents; null for an empty cart. It covers what the buyer ordered by looking at the cart: each
 * line with its quantity and shown price, and each coupon in its place with its shown discount. `carts.updated_at` does
 * not do: prices that are shown anew leave it as it is.
 */
const versionOf = (cartId: string): string => `
  encode(sha256(convert_to(
    (SELECT string_agg(concat_ws(':', i.id, i.quantity, i.shown_price_minor), ',' ORDER BY i.id)
       FROM cart_items i WHERE i.cart_id = ${cartId})
    || '|' || coalesce(
    (SELECT string_agg(concat_ws(':', cc.coupon_id, cc.shown_discount_minor), ',' ORDER BY cc.added_at, cc.coupon_id)
       FROM cart_coupons cc WHERE cc.cart_id = ${cartId}), ''), 'UTF8')), 'hex')`;

/** SQL that draws the number of an order. */
export const NEXT_NUMBER = `'ORD-' || to_char(now() AT TIME ZONE 'UTC', 'YYYY') || '-' || lpad(nextval('order_numbers')::text, 8, '0')`;

interface CartToOrder {
  version: string | null;
  isPlaced: boolean;
  /** The number of the order, or the one drawn for it; null when there is nothing to order, since each is drawn once. */
  orderNumber: string | null;
}

/**
 * The version of a user's cart, null when it has no goods, and whether this order is placed already. An order removes
 * its goods from the cart in one transaction, so one of the two is always seen.
 */
export async function cartToOrder(
  db: Db,
  { orderId, userId, cartDays }: { orderId: string; userId: string; cartDays: number },
): Promise<CartToOrder> {
  const found = await firstRow<CartToOrder>(
    db,
    `SELECT version, number IS NOT NULL AS is_placed,
       CASE WHEN number IS NOT NULL OR version IS NULL THEN number ELSE ${NEXT_NUMBER} END AS order_number
     FROM (SELECT (SELECT ${versionOf('c.id')} FROM carts c WHERE c.user_id = $1 AND c.updated_at > $2) AS version,
             (SELECT number FROM orders WHERE id = $3) AS number) AS found`,
    [userId, cartsKeptSince(new Date(), cartDays), orderId],
  );
  if (!found) throw new Error('A statement without a table has a row.');
  return found;
}

/**
 * Locks the products and variants of a locked cart against deletion until the transaction ends; returns the cart's
 * version as in `cartToOrder`. A later deletion waits and finds the order; an earlier one is waited for, and `cartLines`
 * sees it.
 */
export async function lockGoods(tx: Tx, cartId: string): Promise<string | null> {
  const locked = await firstRow<{ version: string | null }>(
    tx,
    `WITH goods AS (
       SELECT id FROM products WHERE id IN (SELECT product_id FROM cart_items WHERE cart_id = $1)
       ORDER BY id FOR KEY SHARE
     ), kinds AS (
       SELECT id FROM product_variants WHERE id IN (SELECT variant_id FROM cart_items WHERE cart_id = $1)
       ORDER BY id FOR KEY SHARE
     )
     SELECT (SELECT count(*) FROM goods) AS goods, (SELECT count(*) FROM kinds) AS kinds,
       ${versionOf('$1')} AS version`,
    [cartId],
  );
  return locked?.version ?? null;
}
