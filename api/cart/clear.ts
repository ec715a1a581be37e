import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { clearUserCart } from './clear.command';

const ClearedCart = z
  .object({ message: z.string(), itemsRemoved: z.number().int().describe('How many lines were removed.') })
  .meta({ id: 'ClearedCart', description: 'The number of lines that were removed.' });

export const clearCart = endpoint({
  id: 'clearCart',
  returns: 'How many items were removed',
  method: 'delete',
  path: '/cart',
  summary: 'Remove all items and coupons from the cart',
  description: 'Nothing is reserved by a cart, so nothing else changes.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: ClearedCart,
  errors: {},

  async handle(_request, { db, caller, policy }) {
    return { message: 'The cart is empty.', itemsRemoved: await clearUserCart(db, caller.id, policy) };
  },
});
