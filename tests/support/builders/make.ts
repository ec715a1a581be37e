import { verified } from './make/approvals';
import { category, image, product, variant } from './make/goods';
import { participation } from './make/participations';
import { commission } from './make/partners/commissions';
import { partner } from './make/partners/partners';
import { address, admin, buyer, money, secondFactor, superAdmin, user } from './make/people';
import { provider, signedIn } from './make/providers';
import { difference } from './make/reconciliations';
import { purchase, review } from './make/reviews';
import { cart, coupon, shippingMethod, taxRate } from './make/selling';
import { strategy, strategyCategory, strategyDocument } from './make/strategies';
import { verification } from './make/verifications';

/** Writes the rows that a test begins with: `await make.product(db, { stock: 5 })`. */
export const make = {
  address,
  admin,
  buyer,
  cart,
  category,
  commission,
  coupon,
  difference,
  image,
  money,
  participation,
  partner,
  product,
  provider,
  purchase,
  review,
  secondFactor,
  shippingMethod,
  signedIn,
  strategy,
  strategyCategory,
  strategyDocument,
  superAdmin,
  taxRate,
  user,
  variant,
  verification,
  verified,
};
