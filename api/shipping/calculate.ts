import { z } from 'zod';
import { shippingOptions, type ShippingOption } from '../../db/commerce/shipping/shipping.reads';
import { toMajor } from '../../workflows/commerce/money.rules';
import { isPostalCode } from '../../workflows/commerce/shipping/postal-code.rules';
import {
  deliveryDays,
  packed,
  shippingPrice,
  type Parcel,
} from '../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { country, text, uuid } from '../http/request/fields';
import { perMinute } from '../http/limits/limits';
import { NO_POSTAL_CODE, postalCode } from '../http/request/postal-code';
import { cartConsignment, goodsConsignment } from './consignment';
import { demo } from '../http/request/ids/demo-ids';
import { idOf } from '../http/request/ids/id-of';
import { identifying } from '../http/request/ids/identified';

/** The number of units that a line of a cart holds at most. */
const MAX_UNITS = 100;

const Destination = z.object({
  country: country(),
  region: text({ max: 100 }).nullish().describe('State, province or the like.'),
  city: text({ max: 100 }).nullish(),
  postalCode: postalCode().meta({ example: '10117' }),
});

const ShippingQuoteRequest = z
  .object({
    destination: Destination.describe('Where the parcel goes.'),
    items: z
      .array(
        z.object({
          productId: idOf('product').describe('Identifies the product; a UUID.'),
          variantId: identifying(uuid(), 'variant')
            .nullish()
            .describe('The variant of the product; null or left out for the product itself.'),
          quantity: z.int().min(1).max(MAX_UNITS),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .describe('The lines, one for each product or variant.'),
    cartId: idOf('cart').optional().meta({ description: 'The caller’s own cart, in place of `items`.' }),
  })
  .refine(({ items, cartId }) => (items === undefined) !== (cartId === undefined), {
    path: ['items'],
    message: 'is required, or cartId in its place, but not both',
  })
  .meta({
    id: 'ShippingQuoteRequest',
    example: {
      destination: { country: 'DE', city: 'Berlin', postalCode: '10117' },
      items: [{ productId: '0199f0c2-7c2e-7000-8000-0123456789ab', quantity: 2 }],
    },
  });

const ShippingQuote = z
  .object({
    destination: z.object({ country: z.string(), postalCode: z.string() }).describe('Where the parcel goes.'),
    package: z
      .object({
        totalWeight: z.number().meta({ description: 'Kilograms.' }),
        dimensions: z
          .object({
            length: z.number().describe('Centimetres.'),
            width: z.number().describe('Centimetres.'),
            height: z.number().describe('Centimetres.'),
          })
          .meta({ description: 'Centimetres: the longest length, the widest width, all heights together.' }),
      })
      .describe('The parcel that the price is for.'),
    options: z
      .array(
        z.object({
          methodId: z.uuid().describe('The shipping method, as checkout takes it.'),
          name: z.string(),
          carrier: z.string().describe('The company that carries the parcel.'),
          price: z.number().describe('The price of shipping these goods.'),
          currency: z.string(),
          estimatedDelivery: z
            .object({
              min: z.iso.date().describe('The first day on which the parcel can arrive.'),
              max: z.iso.date().describe('The last day on which the parcel is expected.'),
            })
            .describe('The day or days on which the parcel is expected.'),
          isFree: z.boolean().describe('True if shipping costs nothing for these goods.'),
        }),
      )
      .describe('The shipping methods with their price and delivery dates.'),
  })
  .meta({
    id: 'ShippingQuote',
    description: 'The methods to send goods today, with prices and delivery dates.',
  });

export const calculateShipping = endpoint({
  id: 'calculateShipping',
  returns: 'The price and delivery dates of each shipping method',
  method: 'post',
  path: '/shipping/calculate',
  summary: 'Calculate prices and delivery dates of shipping',
  description: 'For goods that need not be in a cart; nothing is reserved.',
  tag: 'Shipping',
  auth: 'optional',
  limit: perMinute(200),

  body: ShippingQuoteRequest,
  example: {
    destination: { country: demo.country, city: 'Berlin', postalCode: '10117' },
    items: [{ productId: demo.product, quantity: 2 }],
  },
  success: 200,
  data: ShippingQuote,
  errors: { INVALID_DESTINATION: 400, PRODUCT_NOT_FOUND: 404 },
  // Read-only: no Idempotency-Key.
  idempotent: false,

  async handle({ body: { destination, items = [], cartId } }, { db, caller, policy }) {
    const { country, postalCode } = destination;
    const { goods, goodsMinor } =
      cartId === undefined
        ? await goodsConsignment(
            db,
            items.map(({ variantId = null, ...item }) => ({ ...item, variantId })),
          )
        : await cartConsignment({ db, caller, policy }, cartId);
    if (!isPostalCode(country, postalCode))
      throw invalidDestination('destination.postalCode', NO_POSTAL_CODE);
    const options = await shippingOptions(db, country);
    if (options.length === 0)
      throw invalidDestination('destination.country', 'is not a country that we ship to');

    const { weightGrams, lengthMm, widthMm, heightMm } = packed(goods);
    return {
      destination: { country, postalCode },
      package: {
        totalWeight: weightGrams / 1000,
        dimensions: { length: lengthMm / 10, width: widthMm / 10, height: heightMm / 10 },
      },
      options: options.map((option) => viewOption(option, { weightGrams, goodsMinor })),
    };
  },
});

const invalidDestination = (field: string, why: string): Error =>
  refusal('INVALID_DESTINATION', 'Shipping to this destination is not available.', { [field]: [why] });

function viewOption(
  option: ShippingOption,
  parcel: Parcel,
): z.input<typeof ShippingQuote>['options'][number] {
  const priceMinor = shippingPrice(option, parcel);
  const { methodId, name, carrier, currency } = option;
  return {
    ...{ methodId, name, carrier, currency },
    price: toMajor(priceMinor, currency),
    estimatedDelivery: deliveryDays(new Date(), option),
    isFree: priceMinor === 0,
  };
}
