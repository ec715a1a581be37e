import { z } from 'zod';
import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { takeCouponOff, touchCart } from '../../../db/commerce/cart/cart.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartView, viewCart } from '../cart.view';
import { cartToShow } from '../priced-cart';

export const removeCartCoupon = endpoint({
  method: 'delete',
  path: '/cart/coupons/:code',
  summary: 'Take a coupon off the cart',
  description: 'Also one that does not apply now and is therefore not listed.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ code: text({ min: 1, max: 64 }) }),
  success: 200,
  data: CartView,
  // Chosen: a code that is not in the cart is a thing not found, like an item that is not in it.
  errors: { COUPON_NOT_FOUND: 404 },

  async handle({ params: { code } }, { db, caller, policy }) {
    return inTransaction(db, async (tx) => {
      const cartId = await lockCart(tx, caller.id, policy.cartDays);
      if (cartId === null || !(await takeCouponOff(tx, cartId, code.toUpperCase())))
        throw refusal('COUPON_NOT_FOUND', 'There is no such coupon in the cart.');

      await touchCart(tx, cartId, new Date());
      return viewCart(await cartToShow(tx, caller.id, policy));
    });
  },
});
