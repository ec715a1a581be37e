import { make } from '../builders/make';
import type { Ground } from './ground';
import type { Makes, Place } from './make';

/** The product that the request names, else a new one. */
const productIn = async ({ world: { db } }: Ground, { within }: Place): Promise<string> =>
  within.product ?? (await make.product(db)).id;

/** Goods, and all that their sale takes: coupons, shipping, taxes. */
export const goods = {
  category: { any: async ({ world: { db } }) => (await make.category(db)).id },
  'coupon code': {
    any: ({ couponCode }) => Promise.resolve(couponCode),
    IN_CART: async ({ couponCode: code, post }, { caller }) => {
      await post('/cart/coupons', { code }, caller);
      return code;
    },
  },
  coupon: { any: async ({ world: { db } }) => (await make.coupon(db)).id },
  image: {
    any: async (ground, place) => make.image(ground.world.db, await productIn(ground, place)),
  },
  product: { any: async ({ world: { db } }) => (await make.product(db)).id },
  review: {
    any: async ({ world: { db } }) => (await make.review(db, { status: 'PENDING' })).id,
    PUBLISHED: async (ground, place) => {
      const productId = await productIn(ground, place);
      return (await make.review(ground.world.db, { productId })).id;
    },
  },
  'shipping method': { any: ({ world: { db } }) => make.shippingMethod(db) },
  'taxed country': {
    any: async ({ world: { db } }) => {
      await make.taxRate(db, 'NO', 2_500);
      return 'NO';
    },
  },
  variant: {
    any: async (ground, place) => (await make.variant(ground.world.db, await productIn(ground, place))).id,
  },
} satisfies Record<string, Makes>;
