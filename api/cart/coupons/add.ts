import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { typedCode } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartView, cartView } from '../cart.view';
import { addCoupon } from './add.command';
import { identifying } from '../../http/request/ids/identified';

export const addCartCoupon = endpoint({
  id: 'addCoupon',
  returns: 'The cart with the coupon',
  method: 'post',
  path: '/cart/coupons',
  summary: 'Add a coupon to the cart',
  description: 'Adding the same coupon twice changes nothing. Upper and lower case are the same.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),
  atomic: true,

  body: z.object({
    code: identifying(typedCode({ max: 64 }), 'coupon code').describe('The code of the coupon.'),
  }),
  // Chosen: the answer is the whole cart, since a coupon may change any of it.
  success: 201,
  data: CartView,
  errors: { INVALID_COUPON: 400 },

  async handle({ body: { code } }, { db, caller, policy }) {
    return cartView(await addCoupon(db, caller.id, code, policy));
  },
});
