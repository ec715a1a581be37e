import { category, image, product, variant } from './make/goods';
import { partner } from './make/partners';
import { address, admin, buyer, money, secondFactor, superAdmin, user } from './make/people';
import { purchase, review } from './make/reviews';
import { cart, coupon, shippingMethod, taxRate } from './make/selling';

/** Writes the rows that a test begins with: `await make.product(db, { stock: 5 })`. */
export const make = {
  address,
  admin,
  buyer,
  cart,
  category,
  coupon,
  image,
  money,
  partner,
  product,
  purchase,
  review,
  secondFactor,
  shippingMethod,
  superAdmin,
  taxRate,
  user,
  variant,
};
