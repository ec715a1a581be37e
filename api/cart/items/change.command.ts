import { cartLines, lockCart } from '../../../db/commerce/cart/cart.reads';
import { changeLine, touchCart } from '../../../db/commerce/cart/cart.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { whyNotThatMany } from '../../../workflows/commerce/cart/cart.rules';
import { pricedOpenCart, type CartPolicy, type PricedCart } from '../priced-cart';
import { lineRefusal, noSuchItem, requireOrderable } from './line-refusal';

/**
 * Sets the quantity of a cart line, at the current price. Refused: CART_ITEM_NOT_FOUND, INSUFFICIENT_STOCK,
 * MAX_QUANTITY_EXCEEDED, VALIDATION_ERROR (`quantity`).
 */
export function changeQuantity(
  db: Db,
  userId: string,
  { itemId, quantity }: { itemId: string; quantity: number },
  policy: CartPolicy,
): Promise<{ priceMinor: number; cart: PricedCart }> {
  return inTransaction(db, async (tx) => {
    const cartId = await lockCart(tx, userId, policy.cartDays);
    const lines = cartId === null ? [] : ((await cartLines(tx, userId, policy.cartDays))?.lines ?? []);
    const line = lines.find((other) => other.itemId === itemId);
    if (cartId === null || !line) throw noSuchItem();

    const { available, product, currentPriceMinor: priceMinor } = line;
    const limits = { available, maxPerLine: product.maxPerLine };
    const why = whyNotThatMany({ ...limits, quantity });
    if (why) throw lineRefusal(why, limits);

    await changeLine(tx, { itemId, quantity, priceMinor });
    await touchCart(tx, cartId, new Date());
    return { priceMinor, cart: requireOrderable(await pricedOpenCart(tx, userId, policy)) };
  });
}
