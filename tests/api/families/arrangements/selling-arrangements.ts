import { make } from '../../../support/builders/make';
import type { Arrange } from './arranged';

let coupons = 0;
const coupon: Arrange = async ({ world }) => ({ params: { id: (await make.coupon(world.db)).id } });
const method: Arrange = async ({ world }) => ({ params: { id: await make.shippingMethod(world.db) } });
const taxed: Arrange = async ({ world }) => {
  await make.taxRate(world.db, 'NO', 2_500);
  return { params: { country: 'NO' } };
};

/** Administration of coupons, shipping and taxes. */
export const sellingArrangements: Readonly<Record<string, Arrange>> = {
  'POST /shipping/calculate': ({ productId }) => ({
    body: {
      destination: { country: 'DE', postalCode: '10117' },
      items: [{ productId, quantity: 2 }],
    },
  }),
  'POST /admin/coupons': () => ({ body: { code: `FAMILY-${coupons++}` } }),
  'POST /admin/shipping-methods': () => ({
    body: { zones: [{ name: 'Benelux', countries: ['BE', 'LU', 'NL'], basePrice: 4.9, pricePerKg: 0.5 }] },
  }),
  'PATCH /admin/coupons/:id': coupon,
  'DELETE /admin/coupons/:id': coupon,
  'PATCH /admin/shipping-methods/:id': method,
  'DELETE /admin/shipping-methods/:id': method,
  'PUT /admin/tax-rates/:country': taxed,
  'DELETE /admin/tax-rates/:country': taxed,
};
