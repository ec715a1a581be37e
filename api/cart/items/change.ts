import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, inCurrency, summariseCart } from '../cart.view';
import { changeQuantity } from './change.command';
import { Quantity } from './line-refusal';
import { idOf } from '../../http/request/ids/id-of';

const ChangedCartItem = z
  .object({
    cartItemId: z.uuid().describe('The line of the cart, as the other endpoints of the cart take it.'),
    quantity: z.number().int(),
    unitPrice: z.number().describe('The price of one unit.'),
    totalPrice: z.number().describe('The price of all units.'),
    cartSummary: CartSummaryShort.describe('The totals of the cart as it is now.'),
  })
  .meta({ id: 'ChangedCartItem', description: 'A cart line with its new quantity, at the current price.' });

export const changeCartItem = endpoint({
  id: 'updateCartItem',
  returns: 'The line as it is now, and the totals of the cart',
  method: 'patch',
  path: '/cart/items/:id',
  summary: 'Set the quantity of a cart line',
  description: 'The quantity replaces the one before. Refused if stock does not suffice.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('cart item').describe('A line of the cart: `id` in its `items`.') }),
  body: z.object({ quantity: Quantity }),
  success: 200,
  data: ChangedCartItem,
  errors: { CART_ITEM_NOT_FOUND: 404, INSUFFICIENT_STOCK: 400, MAX_QUANTITY_EXCEEDED: 400 },

  async handle({ params: { id }, body: { quantity } }, { db, caller, policy }) {
    const { priceMinor, cart } = await changeQuantity(db, caller.id, { itemId: id, quantity }, policy);
    return {
      cartItemId: id,
      quantity,
      unitPrice: inCurrency(priceMinor),
      totalPrice: inCurrency(priceMinor * quantity),
      cartSummary: summariseCart(cart),
    };
  },
});
