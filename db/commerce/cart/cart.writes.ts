import { v7 } from 'uuid';
import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import { execute, firstRow, type Tx } from '../../sql/query';

/**
 * A user's one cart, made if there is none, marked as changed now and locked until the transaction ends. One that was
 * left alone for longer than carts are kept is thrown away first, with all that is in it.
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

/** Marks a locked cart as changed. The mark differs from the one before it even within a millisecond. */
export async function touchCart(tx: Tx, cartId: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE carts SET updated_at = greatest($2, updated_at + interval '1 millisecond') WHERE id = $1`,
    [cartId, at],
  );
}

export interface PutLine {
  /** For a line that is new; one that holds the same goods keeps its own. */
  itemId: string;
  cartId: string;
  productId: string;
  variantId: string | null;
  added: number;
  /** What the buyer is told one piece costs. */
  priceMinor: number;
  /** Most lines that the cart may have. */
  mostLines: number;
  at: Date;
}

/**
 * Puts goods into a locked cart, on top of what their line holds; null when that would be a line too many. The CHECK of
 * 100 pieces a line stands behind the rules.
 */
export async function putIntoCart(
  tx: Tx,
  line: PutLine,
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
      ...[line.added, line.priceMinor, line.at, line.mostLines],
    ],
  );
}

/** Sets how many pieces a line holds, and the price the buyer is told. */
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

/** Whether there was such a line. */
export async function removeLine(tx: Tx, cartId: string, itemId: string): Promise<boolean> {
  return (await execute(tx, 'DELETE FROM cart_items WHERE cart_id = $1 AND id = $2', [cartId, itemId])) > 0;
}

/** Takes all lines and coupons out of a locked cart, which stays; answers how many lines there were. */
export async function emptyCart(tx: Tx, cartId: string, at: Date): Promise<number> {
  const gone = await firstRow<{ lines: number }>(
    tx,
    `WITH coupons AS (DELETE FROM cart_coupons WHERE cart_id = $1),
       lines AS (DELETE FROM cart_items WHERE cart_id = $1 RETURNING 1),
       touched AS (UPDATE carts SET updated_at = greatest($2, updated_at + interval '1 millisecond') WHERE id = $1)
     SELECT count(*)::int AS lines FROM lines`,
    [cartId, at],
  );
  return gone?.lines ?? 0;
}

/** Keeps the prices that the buyer is about to see. The cart is locked; this is no change of the buyer's making. */
export async function rememberPrices(
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

/** Keeps what the buyer is about to see that each coupon takes off; null for one that they see not to apply. */
export async function rememberDiscounts(
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

/** Lays a coupon on a locked cart, after those already there; one that is there stays in its place. */
export async function layCoupon(tx: Tx, cartId: string, couponId: string): Promise<void> {
  await execute(
    tx,
    `INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT ON CONSTRAINT cart_coupons_pkey DO NOTHING`,
    [cartId, couponId],
  );
}

/** Whether a coupon of this code (in capitals) lay on the cart. */
export async function takeCouponOff(tx: Tx, cartId: string, code: string): Promise<boolean> {
  const taken = await execute(
    tx,
    `DELETE FROM cart_coupons cc USING coupons c
     WHERE c.id = cc.coupon_id AND cc.cart_id = $1 AND c.code = $2`,
    [cartId, code],
  );
  return taken > 0;
}
