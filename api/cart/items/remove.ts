import { z } from 'zod';
import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { removeLine, touchCart } from '../../../db/commerce/cart/cart.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, summariseCart } from '../cart.view';
import { pricedOpenCart } from '../priced-cart';

const RemovedCartItem = z
  .object({ message: z.string(), cartItemId: z.uuid(), cartSummary: CartSummaryShort })
  .meta({ id: 'RemovedCartItem', description: 'The line that is no longer in the cart, and what is left.' });

export const removeCartItem = endpoint({
  method: 'delete',
  path: '/cart/items/:id',
  summary: 'Take a line out of the cart',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: uuid() }),
  success: 200,
  data: RemovedCartItem,
  errors: { CART_ITEM_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, caller, policy }) {
    return inTransaction(db, async (tx) => {
      const cartId = await lockCart(tx, caller.id, policy.cartDays);
      if (cartId === null || !(await removeLine(tx, cartId, id)))
        throw refusal('CART_ITEM_NOT_FOUND', 'There is no such item in the cart.');

      await touchCart(tx, cartId, new Date());
      return {
        message: 'The item was taken out of the cart.',
        cartItemId: id,
        cartSummary: summariseCart(await pricedOpenCart(tx, caller.id, policy)),
      };
    });
  },
});
