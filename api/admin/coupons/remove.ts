import { z } from 'zod';
import { deleteCoupon } from '../../../db/commerce/coupon/coupon-record.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { noSuchCoupon, oneCoupon } from './coupon.view';

export const removeCouponEndpoint = endpoint({
  method: 'delete',
  path: '/admin/coupons/:id',
  summary: 'Delete a coupon',
  description: 'It applies to no cart from then on. Orders that were placed keep what it took off.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCoupon,
  success: 200,
  data: z.object({ message: z.string().meta({ example: 'The coupon is deleted.' }), couponId: z.uuid() }),
  errors: { COUPON_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    if (!(await deleteCoupon(db, id, by))) throw noSuchCoupon();
    return { message: 'The coupon is deleted.', couponId: id };
  },
});
