import { v7 } from 'uuid';
import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { CartItem } from './cart-item.model';

/**
 * Finds or makes a user's one cart, marks it as changed and locks it until the transaction ends; returns its id. A cart
 * that was unchanged for longer than carts are kept is deleted first, with its contents.
 */
export async function openCart(tx: Tx, userId: string, at: Date, keptDays: number): Promise<string> {
  await execute(tx, 'DELETE FROM carts WHERE user_id = $1 AND updated_at <= $2', [
    userId,
    cartsKeptSince(at, keptDays),
  ]);
  const cart = await firstRow<{ id: string }>(
    tx,
    `INSERT INTO carts (id, user_id, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT ON CONSTRAINT carts_user_key
       DO UPDATE SET updated_at = greatest($3, carts.updated_at + interval '1 millisecond')
     RETURNING id`,
    [v7(), userId, at],
  );
  if (!cart) throw new Error('The cart was neither made nor found.');
  return cart.id;
}

/** Marks a locked cart as changed. The time differs from the last one even within a millisecond. */
export async function touchCart(tx: Tx, cartId: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE carts SET updated_at = greatest($2, updated_at + interval '1 millisecond') WHERE id = $1`,
    [cartId, at],
  );
}

/** Goods for a cart: a product or one variant of it, and a number of units. */
export interface CartGoods {
  productId: string;
  variantId: string | null;
  added: number;
}

export interface NewCartLine extends CartGoods {
  /** The id of a new line; an existing line of the same goods keeps its own. */
  itemId: string;
  cartId: string;
  /** The price of one unit as shown to the buyer. */
  priceMinor: number;
  /** The largest number of lines that the cart may have. */
  maxLines: number;
  at: Date;
}

/**
 * Puts goods into a locked cart, on top of their line if there is one; null when that would be a line too many. A CHECK
 * limits a line to 100 units in addition to the rules.
 */
export async function putIntoCart(
  tx: Tx,
  line: NewCartLine,
): Promise<{ itemId: string; quantity: number } | null> {
  return firstRow<{ itemId: string; quantity: number }>(
    tx,
    `INSERT INTO cart_items (id, cart_id, product_id, variant_id, quantity, shown_price_minor, added_at)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::integer, $6::bigint, $7::timestamptz
     WHERE (SELECT count(*) FROM cart_items WHERE cart_id = $2) < $8::integer
        OR EXISTS (SELECT 1 FROM cart_items
             WHERE cart_id = $2 AND product_id = $3 AND variant_id IS NOT DISTINCT FROM $4)
     ON CONFLICT ON CONSTRAINT cart_items_line_key DO UPDATE
       SET quantity = cart_items.quantity + excluded.quantity, shown_price_minor = excluded.shown_price_minor
     RETURNING id AS item_id, quantity`,
    [
      ...[line.itemId, line.cartId, line.productId, line.variantId],
      ...[line.added, line.priceMinor, line.at, line.maxLines],
    ],
  );
}

/** Sets the units of a line and the price of one as shown to the buyer. */
export async function changeLine(
  tx: Tx,
  line: { itemId: string; quantity: number; priceMinor: number },
): Promise<void> {
  await execute(tx, 'UPDATE cart_items SET quantity = $2, shown_price_minor = $3 WHERE id = $1', [
    line.itemId,
    line.quantity,
    line.priceMinor,
  ]);
}

/** Removes a line; false when the cart has no such line. */
export async function removeLine(tx: Tx, cartId: string, itemId: string): Promise<boolean> {
  return (await table(tx, CartItem).remove({ cartId, id: itemId })) > 0;
}

/** Removes all lines and coupons of a locked cart, but not the cart; returns how many lines there were. */
export async function emptyCart(tx: Tx, cartId: string, at: Date): Promise<number> {
  const removed = await firstRow<{ lines: number }>(
    tx,
    `WITH coupons AS (DELETE FROM cart_coupons WHERE cart_id = $1),
       lines AS (DELETE FROM cart_items WHERE cart_id = $1 RETURNING 1),
       touched AS (UPDATE carts SET updated_at = greatest($2, updated_at + interval '1 millisecond') WHERE id = $1)
     SELECT count(*)::int AS lines FROM lines`,
    [cartId, at],
  );
  return removed?.lines ?? 0;
}

/** Saves the prices that the buyer is about to see. The cart is locked and does not count as changed by this. */
export async function saveShownPrices(
  tx: Tx,
  shown: readonly { itemId: string; priceMinor: number }[],
): Promise<void> {
  await execute(
    tx,
    `UPDATE cart_items i SET shown_price_minor = shown.price
     FROM unnest($1::uuid[], $2::bigint[]) AS shown (id, price) WHERE i.id = shown.id`,
    [shown.map((line) => line.itemId), shown.map((line) => line.priceMinor)],
  );
}

/** Saves the discount of each coupon that the buyer is about to see; null for a coupon shown as not applying. */
export async function saveShownDiscounts(
  tx: Tx,
  cartId: string,
  shown: readonly { couponId: string; discountMinor: number | null }[],
): Promise<void> {
  await execute(
    tx,
    `UPDATE cart_coupons cc SET shown_discount_minor = shown.discount
     FROM unnest($2::uuid[], $3::bigint[]) AS shown (id, discount) WHERE cc.cart_id = $1 AND cc.coupon_id = shown.id`,
    [cartId, shown.map((coupon) => coupon.couponId), shown.map((coupon) => coupon.discountMinor)],
  );
}

/** Adds a coupon to a locked cart, after its other coupons; one that is there already stays in its place. */
export async function insertCartCoupon(tx: Tx, cartId: string, couponId: string): Promise<void> {
  await execute(
    tx,
    `INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT ON CONSTRAINT cart_coupons_pkey DO NOTHING`,
    [cartId, couponId],
  );
}

/** Removes a coupon by its code (in capitals); false when the cart does not have it. */
export async function deleteCartCoupon(tx: Tx, cartId: string, code: string): Promise<boolean> {
  const removed = await execute(
    tx,
    `DELETE FROM cart_coupons cc USING coupons c
     WHERE c.id = cc.coupon_id AND cc.cart_id = $1 AND c.code = $2`,
    [cartId, code],
  );
  return removed > 0;
}
