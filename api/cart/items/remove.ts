import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, summariseCart } from '../cart.view';
import { removeItem } from './remove.command';
import { idOf } from '../../http/request/ids/id-of';

const RemovedCartItem = z
  .object({
    message: z.string(),
    cartItemId: z.uuid().describe('The line of the cart, as the other endpoints of the cart take it.'),
    cartSummary: CartSummaryShort.describe('The totals of the cart as it is now.'),
  })
  .meta({ id: 'RemovedCartItem', description: 'The line that was removed, and the total of the others.' });

export const removeCartItem = endpoint({
  id: 'removeCartItem',
  returns: 'The totals of the cart without the line',
  method: 'delete',
  path: '/cart/items/:id',
  summary: 'Remove a line from the cart',
  description: 'The rest of the cart stays as it is.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('cart item').describe('A line of the cart: `id` in its `items`.') }),
  success: 200,
  data: RemovedCartItem,
  errors: { CART_ITEM_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, caller, policy }) {
    const cart = await removeItem(db, caller.id, id, policy);
    return {
      message: 'The item is removed from the cart.',
      cartItemId: id,
      cartSummary: summariseCart(cart),
    };
  },
});
