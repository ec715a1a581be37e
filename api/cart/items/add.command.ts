import { v7 } from 'uuid';
import { cartCandidate, type CartCandidate } from '../../../db/commerce/cart/cart-candidate.reads';
import { openCart, putIntoCart, type CartGoods } from '../../../db/commerce/cart/cart.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { whyNotInCart } from '../../../workflows/commerce/cart/cart.rules';
import { refusal } from '../../../workflows/errors';
import { pricedOpenCart, type PricedCart } from '../priced-cart';
import { lineRefusal, noSuchProduct, requireOrderable } from './line-refusal';

interface AddedLine {
  itemId: string;
  name: string;
  /** Everything that the line now holds. */
  quantity: number;
  priceMinor: number;
  cart: PricedCart;
}

/**
 * Puts goods into a user's cart, on top of their line if there is one. Refused: PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND,
 * PRODUCT_UNAVAILABLE, INSUFFICIENT_STOCK, MAX_QUANTITY_EXCEEDED, VALIDATION_ERROR (`quantity`).
 */
export function addItem(
  db: Db,
  userId: string,
  { productId, variantId, added }: CartGoods,
  policy: Pick<Policy, 'cartDays' | 'cartLines'>,
): Promise<AddedLine> {
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const cartId = await openCart(tx, userId, at, policy.cartDays);
    const goods = requireAddable(await cartCandidate(tx, { cartId, productId, variantId }), added);
    const { name, priceMinor } = goods;
    const line = { itemId: v7(), cartId, productId, variantId, added, priceMinor, at };
    const put = await putIntoCart(tx, { ...line, maxLines: policy.cartLines });
    if (!put) throw refusal('MAX_QUANTITY_EXCEEDED', `A cart can have at most ${policy.cartLines} lines.`);
    return { ...put, name, priceMinor, cart: requireOrderable(await pricedOpenCart(tx, userId, policy)) };
  });
}

/**
 * The goods, if `added` more of them may go into the cart. Chosen: a product that has variants is also sold without one,
 * from its own stock.
 */
function requireAddable(goods: CartCandidate | null, added: number): CartCandidate {
  if (!goods || goods.status === 'DRAFT') throw noSuchProduct();
  if (!goods.variantExists) throw refusal('VARIANT_NOT_FOUND');
  const why = whyNotInCart({ ...goods, quantity: goods.inCart + added });
  if (why) throw lineRefusal(why, goods);
  return goods;
}
