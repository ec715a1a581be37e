import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneCoupon } from './coupon.view';
import { removeCoupon } from './remove.command';

export const removeCouponEndpoint = endpoint({
  id: 'deleteCoupon',
  returns: 'The coupon that was deleted',
  method: 'delete',
  path: '/admin/coupons/:id',
  summary: 'Delete a coupon',
  description: 'It applies to no cart any longer. Placed orders keep their discount.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCoupon,
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'The coupon is deleted.' }),
    couponId: z.uuid().describe('The coupon that was deleted.'),
  }),
  errors: { COUPON_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    await removeCoupon(context.db, id, actorOf(context));
    return { message: 'The coupon is deleted.', couponId: id };
  },
});
