import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { typedCode } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartView, cartView } from '../cart.view';
import { removeCoupon } from './remove.command';
import { demo } from '../../http/request/ids/demo-ids';
import { identifying } from '../../http/request/ids/identified';

export const removeCartCoupon = endpoint({
  id: 'removeCoupon',
  returns: 'The cart without the coupon',
  method: 'delete',
  path: '/cart/coupons/:code',
  summary: 'Remove a coupon from the cart',
  description: 'This includes a coupon that does not apply now and is therefore not listed.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({
    code: identifying(typedCode({ max: 64 }), 'coupon code', 'IN_CART').meta({
      description: 'The code of the coupon.',
      example: demo.couponCode,
    }),
  }),
  success: 200,
  data: CartView,
  // Chosen: a code that is not in the cart is not found, like an item that is not in it.
  errors: { COUPON_NOT_FOUND: 404 },

  async handle({ params: { code } }, { db, caller, policy }) {
    return cartView(await removeCoupon(db, caller.id, code, policy));
  },
});
