import { lockCart } from '../../db/commerce/cart/cart.reads';
import { openCart } from '../../db/commerce/cart/cart.writes';
import type { Db } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { cartToShow, isAsShown, pricedCart, type CartPolicy, type PricedCart } from './priced-cart';

/** Returns the cart and records its prices as shown. Usually nothing has changed and nothing is written. */
export async function showUserCart(db: Db, userId: string, policy: CartPolicy): Promise<PricedCart> {
  const cart = await pricedCart(db, userId, policy);
  if (cart?.lines.every(isAsShown) && cart.newDiscounts.length === 0) return cart;
  return inTransaction(db, async (tx) => {
    const { cartDays } = policy;
    if ((await lockCart(tx, userId, cartDays)) === null) await openCart(tx, userId, new Date(), cartDays);
    return cartToShow(tx, userId, policy);
  });
}
