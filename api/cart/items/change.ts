import { z } from 'zod';
import { cartLines, lockCart } from '../../../db/commerce/cart/cart.reads';
import { changeLine, touchCart } from '../../../db/commerce/cart/cart.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { whyNotThatMany } from '../../../workflows/commerce/cart/cart.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, inCurrency, summariseCart } from '../cart.view';
import { pricedOpenCart } from '../priced-cart';
import { lineRefusal, Quantity } from './line-refusal';

const ChangedCartItem = z
  .object({
    cartItemId: z.uuid(),
    quantity: z.number().int(),
    unitPrice: z.number(),
    totalPrice: z.number(),
    cartSummary: CartSummaryShort,
  })
  .meta({ id: 'ChangedCartItem', description: 'A cart line with its new quantity, at the current price.' });

export const changeCartItem = endpoint({
  method: 'patch',
  path: '/cart/items/:id',
  summary: 'Set how many pieces a cart line holds',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: uuid() }),
  body: z.object({ quantity: Quantity }),
  success: 200,
  data: ChangedCartItem,
  errors: { CART_ITEM_NOT_FOUND: 404, INSUFFICIENT_STOCK: 400, MAX_QUANTITY_EXCEEDED: 400 },

  async handle({ params: { id }, body: { quantity } }, { db, caller, policy }) {
    return inTransaction(db, async (tx) => {
      const cartId = await lockCart(tx, caller.id, policy.cartDays);
      const lines = cartId === null ? [] : ((await cartLines(tx, caller.id, policy.cartDays))?.lines ?? []);
      const line = lines.find(({ itemId }) => itemId === id);
      if (cartId === null || !line)
        throw refusal('CART_ITEM_NOT_FOUND', 'There is no such item in the cart.');

      const { available, product, currentPriceMinor: priceMinor } = line;
      const why = whyNotThatMany({ available, maxPerLine: product.maxPerLine, quantity });
      if (why) throw lineRefusal(why);

      await changeLine(tx, { itemId: id, quantity, priceMinor });
      await touchCart(tx, cartId, new Date());
      return {
        cartItemId: id,
        quantity,
        unitPrice: inCurrency(priceMinor),
        totalPrice: inCurrency(priceMinor * quantity),
        cartSummary: summariseCart(await pricedOpenCart(tx, caller.id, policy)),
      };
    });
  },
});
