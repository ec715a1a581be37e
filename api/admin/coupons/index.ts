import { changeCouponEndpoint } from './change';
import { createCouponEndpoint } from './create';
import { listCouponsEndpoint } from './list';
import { removeCouponEndpoint } from './remove';

export const adminCouponEndpoints = [
  listCouponsEndpoint,
  createCouponEndpoint,
  changeCouponEndpoint,
  removeCouponEndpoint,
];
