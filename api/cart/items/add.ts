import { v7 } from 'uuid';
import { z } from 'zod';
import { cartCandidate, type CartCandidate } from '../../../db/commerce/cart/cart-candidate.reads';
import { openCart, putIntoCart } from '../../../db/commerce/cart/cart.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { whyNotInCart } from '../../../workflows/commerce/cart/cart.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { CartSummaryShort, inCurrency, summariseCart } from '../cart.view';
import { pricedOpenCart } from '../priced-cart';
import { lineRefusal, Quantity } from './line-refusal';

const AddedCartItem = z
  .object({
    cartItemId: z.uuid(),
    product: z.object({ id: z.uuid(), name: z.string() }),
    quantity: z.number().int(),
    unitPrice: z.number(),
    totalPrice: z.number(),
    cartSummary: CartSummaryShort,
  })
  .meta({ id: 'AddedCartItem', description: 'The line that now holds the goods, with all its pieces.' });

export const addCartItem = endpoint({
  method: 'post',
  path: '/cart/items',
  summary: 'Put goods into the cart',
  description: 'Goods that the cart already holds are added to their line.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),
  atomic: true,

  body: z.object({ productId: uuid(), variantId: uuid().optional(), quantity: Quantity }),
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
    return inTransaction(db, async (tx) => {
      const at = new Date();
      const cartId = await openCart(tx, caller.id, at, policy.cartDays);
      const goods = addable(await cartCandidate(tx, { cartId, productId, variantId }), added);
      const { priceMinor } = goods;
      const line = { itemId: v7(), cartId, productId, variantId, added, priceMinor, at };
      const put = await putIntoCart(tx, { ...line, mostLines: policy.cartLines });
      if (!put) throw refusal('MAX_QUANTITY_EXCEEDED', `A cart holds at most ${policy.cartLines} lines.`);
      return {
        cartItemId: put.itemId,
        product: { id: productId, name: goods.name },
        quantity: put.quantity,
        unitPrice: inCurrency(priceMinor),
        totalPrice: inCurrency(priceMinor * put.quantity),
        cartSummary: summariseCart(await pricedOpenCart(tx, caller.id, policy)),
      };
    });
  },
});

/** The goods, if that many more of them may go into the cart. Chosen: goods that come in variants are also sold as they are, from a stock of their own. */
function addable(goods: CartCandidate | null, added: number): CartCandidate {
  if (!goods || goods.status === 'DRAFT') throw lineRefusal('PRODUCT_NOT_FOUND');
  if (!goods.variantExists) throw refusal('VARIANT_NOT_FOUND', 'This product has no such variant.');
  const why = whyNotInCart({ ...goods, quantity: goods.inCart + added });
  if (why) throw lineRefusal(why);
  return goods;
}
