import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { changeCoupon } from './change.command';
import { AdminCoupon, CouponChange, couponView, oneCoupon, settingsFrom } from './coupon.view';

export const changeCouponEndpoint = endpoint({
  id: 'updateCoupon',
  returns: 'The coupon as it is now',
  method: 'patch',
  path: '/admin/coupons/:id',
  summary: 'Change a coupon',
  description:
    'Fields that are left out stay; a new type requires a new value. Placed orders keep their discount.',
  tag: 'Administration: coupons',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCoupon,
  body: CouponChange,
  success: 200,
  data: AdminCoupon,
  errors: { COUPON_NOT_FOUND: 404, CODE_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body }, context) {
    const changes = settingsFrom(sentFields(body));
    return couponView(await changeCoupon(context.db, id, changes, actorOf(context)));
  },
});
