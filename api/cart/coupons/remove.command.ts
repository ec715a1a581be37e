import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { deleteCartCoupon, touchCart } from '../../../db/commerce/cart/cart.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { cartToShow, type CartPolicy, type PricedCart } from '../priced-cart';

/** Removes a coupon from a user's cart. Refused: COUPON_NOT_FOUND for a coupon that is not in the cart. */
export function removeCoupon(db: Db, userId: string, code: string, policy: CartPolicy): Promise<PricedCart> {
  return inTransaction(db, async (tx) => {
    const cartId = await lockCart(tx, userId, policy.cartDays);
    if (cartId === null || !(await deleteCartCoupon(tx, cartId, code.toUpperCase())))
      throw refusal('COUPON_NOT_FOUND', 'No such coupon in the cart.');

    await touchCart(tx, cartId, new Date());
    return cartToShow(tx, userId, policy);
  });
}
