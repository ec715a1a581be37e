import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { removeLine, touchCart } from '../../../db/commerce/cart/cart.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { pricedOpenCart, type CartPolicy, type PricedCart } from '../priced-cart';
import { noSuchItem } from './line-refusal';

/** Removes a line from a user's cart; returns the remaining cart. Refused: CART_ITEM_NOT_FOUND. */
export function removeItem(db: Db, userId: string, itemId: string, policy: CartPolicy): Promise<PricedCart> {
  return inTransaction(db, async (tx) => {
    const cartId = await lockCart(tx, userId, policy.cartDays);
    if (cartId === null || !(await removeLine(tx, cartId, itemId))) throw noSuchItem();

    await touchCart(tx, cartId, new Date());
    return pricedOpenCart(tx, userId, policy);
  });
}
