import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, inCurrency, summariseCart } from '../cart.view';
import { addItem } from './add.command';
import { Quantity } from './line-refusal';
import { idOf } from '../../http/request/ids/id-of';
import { identifying } from '../../http/request/ids/identified';

const AddedCartItem = z
  .object({
    cartItemId: z.uuid().describe('The line of the cart, as the other endpoints of the cart take it.'),
    product: z.object({ id: z.uuid(), name: z.string() }).describe('The product that it is about.'),
    quantity: z.number().int(),
    unitPrice: z.number().describe('The price of one unit.'),
    totalPrice: z.number().describe('The price of all units.'),
    cartSummary: CartSummaryShort.describe('The totals of the cart as it is now.'),
  })
  .meta({ id: 'AddedCartItem', description: 'The line that now holds the goods, with all its units.' });

export const addCartItem = endpoint({
  id: 'addCartItem',
  returns: 'The new line, and the totals of the cart',
  method: 'post',
  path: '/cart/items',
  summary: 'Put goods into the cart',
  description: 'Goods that the cart already holds are added to their line.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),
  atomic: true,

  body: z.object({
    productId: idOf('product').describe('Identifies the product; a UUID.'),
    variantId: identifying(uuid(), 'variant')
      .optional()
      .describe('The variant of the product; left out for the product itself.'),
    quantity: Quantity,
  }),
  example: { variantId: undefined },
  success: 201,
  data: AddedCartItem,
  errors: {
    PRODUCT_NOT_FOUND: 404,
    VARIANT_NOT_FOUND: 404,
    PRODUCT_UNAVAILABLE: 400,
    INSUFFICIENT_STOCK: 400,
    MAX_QUANTITY_EXCEEDED: 400,
  },

  async handle({ body: { productId, variantId = null, quantity: added } }, { db, caller, policy }) {
    const { cart, ...line } = await addItem(db, caller.id, { productId, variantId, added }, policy);
    return {
      cartItemId: line.itemId,
      product: { id: productId, name: line.name },
      quantity: line.quantity,
      unitPrice: inCurrency(line.priceMinor),
      totalPrice: inCurrency(line.priceMinor * line.quantity),
      cartSummary: summariseCart(cart),
    };
  },
});
