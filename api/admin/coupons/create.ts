import { createCoupon } from '../../../db/commerce/coupon/coupon-record.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { given } from '../../users/given';
import { AdminCoupon, CouponRequest, couponView, settingsFrom } from './coupon.view';

const UNLIMITED = {
  minSubtotalMinor: null,
  startsAt: null,
  endsAt: null,
  usageLimit: null,
  perUserLimit: null,
  productIds: [],
  categoryIds: [],
};

export const createCouponEndpoint = endpoint({
  method: 'post',
  path: '/admin/coupons',
  summary: 'Make a coupon',
  description: 'The code of a coupon that was deleted may be used again, by what is then another coupon.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  body: CouponRequest,
  success: 201,
  data: AdminCoupon,
  errors: { CODE_ALREADY_EXISTS: 409 },

  async handle({ body }, { caller, db, mint, request }) {
    const { coupon: id } = await mint('coupon');
    const { code, type, value, isActive } = body;
    const settings = { ...UNLIMITED, ...settingsFrom(given(body)), code, type, value, isActive };
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    return couponView(await createCoupon(db, id, settings, by));
  },
});
