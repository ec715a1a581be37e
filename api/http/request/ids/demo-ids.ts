import { seedId } from '../../../../db/schema/seed/rows';

/** Things of the demo data, with the ids that they have on every machine: examples that name them can be sent. */
export const demo = {
  product: seedId('product:Pocket Earbuds'),
  /** With pictures and variants, for requests that change or remove them. */
  editable: {
    product: seedId('product:Audio Cable'),
    image: seedId('image:Audio Cable:0'),
    variant: seedId('variant:Audio Cable:5 m'),
  },
  removable: { product: seedId('product:Hammock Set'), shippingMethod: seedId('shipping-method:Economy') },
  category: seedId('category:Headphones'),
  couponCode: 'WELCOME10',
  coupon: seedId('coupon:TAKE5'),
  shippingMethod: seedId('shipping-method:Standard'),
  strategy: seedId('strategy:Harbour Bonds'),
  /** For requests of administrators, which change it. */
  editableStrategy: seedId('strategy:City Homes'),
  strategyCategory: seedId('strategy-category:Bonds'),
  buyer: seedId('user:buyer@example.com'),
  member: seedId('user:member1@example.com'),
  address: seedId('address:buyer@example.com'),
  country: 'DE',
} as const;

/** An id of something that the demo data lack, such as an order. */
export const UNKNOWN_ID = '0199f0c2-7c2e-7000-8000-0123456789ab';
