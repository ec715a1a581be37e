import { lockCart } from '../../db/commerce/cart/cart.reads';
import { emptyCart } from '../../db/commerce/cart/cart.writes';
import type { Db } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import type { CartPolicy } from './priced-cart';

/** Removes all lines and coupons of a user's cart; returns how many lines there were. */
export function clearUserCart(db: Db, userId: string, { cartDays }: CartPolicy): Promise<number> {
  return inTransaction(db, async (tx) => {
    const cartId = await lockCart(tx, userId, cartDays);
    return cartId === null ? 0 : emptyCart(tx, cartId, new Date());
  });
}
