import { z } from 'zod';
import { shippingOptions, type ShippingOption } from '../../db/commerce/shipping/shipping.reads';
import { toMajor } from '../../workflows/commerce/money.rules';
import { isPostalCode } from '../../workflows/commerce/shipping/postal-code.rules';
import { shippingPrice, weightOf, type Parcel } from '../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { country, uuid } from '../http/request/fields';
import { postalCode } from '../http/request/postal-code';
import { perMinute } from '../http/limits/limits';
import { cartConsignment, type Consignment } from './consignment';
import { identifying } from '../http/request/ids/identified';

const ShippingMethod = z
  .object({
    id: z.uuid(),
    name: z.string(),
    carrier: z.string().describe('The company that carries the parcel.'),
    description: z.string().nullable(),
    estimatedDays: z
      .object({
        min: z.number().int().describe('Days at best.'),
        max: z.number().int().describe('Days at worst.'),
      })
      .describe('Days until delivery.'),
    price: z.number().describe('The price of shipping these goods.'),
    currency: z.string(),
    isFree: z.boolean().describe('True if shipping costs nothing for these goods.'),
    freeThreshold: z
      .number()
      .nullable()
      .describe('The value of goods after discount from which shipping is free; null if it never is.'),
  })
  .meta({
    id: 'ShippingMethod',
    description: 'A method to send goods; free for goods of `freeThreshold` or more.',
  });

export const listShippingMethods = endpoint({
  id: 'listShippingMethods',
  returns: 'The shipping methods for the destination',
  method: 'get',
  path: '/shipping/methods',
  summary: 'List the shipping methods for a country, with prices',
  description:
    'With the `cartId` of the caller’s own cart, prices are for that cart; without it, they are starting prices.',
  tag: 'Shipping',
  auth: 'optional',
  limit: perMinute(200),

  query: z.object({
    country: country(),
    postalCode: postalCode().optional().describe('The postal code of the destination.'),
    cartId: identifying(uuid(), 'cart')
      .optional()
      .describe('The cart to be shipped, by default the own one.'),
  }),
  success: 200,
  data: z.object({
    methods: z.array(ShippingMethod).describe('The shipping methods that go to the destination.'),
  }),
  errors: { SHIPPING_NOT_AVAILABLE: 400 },

  async handle({ query }, { db, caller, policy }) {
    const { goods, goodsMinor } =
      query.cartId === undefined ? NO_GOODS : await cartConsignment({ db, caller, policy }, query.cartId);
    if (query.postalCode !== undefined && !isPostalCode(query.country, query.postalCode))
      throw refusal('SHIPPING_NOT_AVAILABLE', 'This is not a postal code of this country.');

    const options = await shippingOptions(db, query.country);
    if (options.length === 0) throw refusal('SHIPPING_NOT_AVAILABLE');
    const parcel = { weightGrams: weightOf(goods), goodsMinor };
    return { methods: options.map((option) => viewMethod(option, parcel)) };
  },
});

const NO_GOODS: Consignment = { goods: [], goodsMinor: 0 };

function viewMethod(option: ShippingOption, parcel: Parcel): z.input<typeof ShippingMethod> {
  const priceMinor = shippingPrice(option, parcel);
  const { currency, freeThresholdMinor } = option;
  return {
    id: option.methodId,
    name: option.name,
    carrier: option.carrier,
    description: option.description,
    estimatedDays: { min: option.minDays, max: option.maxDays },
    price: toMajor(priceMinor, currency),
    currency,
    isFree: priceMinor === 0,
    freeThreshold: freeThresholdMinor === null ? null : toMajor(freeThresholdMinor, currency),
  };
}
