import { z } from 'zod';
import { listCoupons } from '../../../db/commerce/coupon/coupon-record.reads';
import { endpoint } from '../../http/endpoint';
import { flag, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { AdminCoupon, couponView } from './coupon.view';
import { CouponType } from '../../cart/cart.view';

export const listCouponsEndpoint = endpoint({
  id: 'listCoupons',
  returns: 'One page of coupons',
  method: 'get',
  path: '/admin/coupons',
  summary: 'List coupons, newest first',
  description: 'Without those that were deleted.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    search: text({ max: 50 }).optional().meta({ description: 'A part of the code.' }),
    type: CouponType.optional().describe('Only those of this kind.'),
    isActive: flag().optional().describe('Only active ones (true) or only inactive ones (false).'),
    usable: flag().optional().meta({
      description: 'Whether it can be used now: active, within its dates, and with uses left.',
    }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ coupons: z.array(AdminCoupon).describe('One page of coupons.') }),
  errors: {},

  async handle({ query: { page, pageSize, ...filter } }, { db, reply }) {
    const found = await listCoupons(db, { ...filter, at: new Date() }, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { coupons: found.coupons.map(couponView) };
  },
});
