import { z } from 'zod';
import { lockCart } from '../../db/commerce/cart/cart.reads';
import { emptyCart } from '../../db/commerce/cart/cart.writes';
import { inTransaction } from '../../db/sql/transaction';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';

const ClearedCart = z
  .object({ message: z.string(), itemsRemoved: z.number().int() })
  .meta({ id: 'ClearedCart', description: 'How many lines the cart had.' });

export const clearCart = endpoint({
  method: 'delete',
  path: '/cart',
  summary: 'Take everything out of the cart, coupons too',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: ClearedCart,
  errors: {},

  async handle(_asked, { db, caller, policy }) {
    const itemsRemoved = await inTransaction(db, async (tx) => {
      const cartId = await lockCart(tx, caller.id, policy.cartDays);
      return cartId === null ? 0 : emptyCart(tx, cartId, new Date());
    });
    return { message: 'The cart is empty.', itemsRemoved };
  },
});
