import { z } from 'zod';
import { layCoupon, openCart } from '../../../db/commerce/cart/cart.writes';
import { couponsByCode } from '../../../db/commerce/coupon/coupon.reads';
import { inTransaction } from '../../../db/sql/transaction';
import { whyCouponFails } from '../../../workflows/commerce/coupon/coupon.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartView, viewCart } from '../cart.view';
import { pricedLine } from '../../../db/commerce/cart/cart.reads';
import { cartToShow, pricedOpenCart } from '../priced-cart';

export const addCartCoupon = endpoint({
  method: 'post',
  path: '/cart/coupons',
  summary: 'Lay a coupon on the cart',
  description: 'Laying the same coupon twice changes nothing. Upper and lower case are the same.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),
  atomic: true,

  body: z.object({ code: text({ min: 1, max: 64 }) }),
  // Chosen: the answer is the whole cart, since a coupon may change any of it.
  success: 201,
  data: CartView,
  errors: { INVALID_COUPON: 400 },

  async handle({ body: { code } }, { db, caller, policy }) {
    return inTransaction(db, async (tx) => {
      const cartId = await openCart(tx, caller.id, new Date(), policy.cartDays);
      const [coupon] = await couponsByCode(tx, [code], caller.id);
      if (!coupon) throw refusal('INVALID_COUPON', 'There is no such coupon.');

      const { lines } = await pricedOpenCart(tx, caller.id, policy);
      const why = whyCouponFails(coupon, lines.map(pricedLine), new Date());
      if (why !== null) throw refusal('INVALID_COUPON', why);

      await layCoupon(tx, cartId, coupon.id);
      return viewCart(await cartToShow(tx, caller.id, policy));
    });
  },
});
