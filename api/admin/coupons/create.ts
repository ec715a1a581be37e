import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { AdminCoupon, CouponRequest, couponView, settingsFrom } from './coupon.view';
import { createCoupon } from './create.command';

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
  id: 'createCoupon',
  returns: 'The new coupon',
  method: 'post',
  path: '/admin/coupons',
  summary: 'Make a coupon',
  description: 'The code of a deleted coupon may be used again for a new coupon.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  body: CouponRequest,
  success: 201,
  data: AdminCoupon,
  errors: { CODE_ALREADY_EXISTS: 409 },

  async handle({ body }, context) {
    const { coupon: id } = await context.mint('coupon');
    const { code, type, value, isActive } = body;
    const settings = { ...UNLIMITED, ...settingsFrom(sentFields(body)), code, type, value, isActive };
    return couponView(await createCoupon(context.db, id, settings, actorOf(context)));
  },
});
