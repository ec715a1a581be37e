import {
  goodsToShip,
  type QuotedGoods,
  type GoodsToShip,
} from '../../db/commerce/shipping/goods-to-ship.reads';
import type { Db } from '../../db/sql/query';
import { sumMinor } from '../../workflows/commerce/order/pricing.rules';
import type { Goods } from '../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../workflows/errors';
import { pricedCart } from '../cart/priced-cart';
import type { Context } from '../http/handler-context';
import { invalid } from '../http/validation/validation';

/** Goods to be sent, and their value after discount, before tax. */
export interface Consignment {
  goods: Goods[];
  goodsMinor: number;
}

/** The goods of the caller's own cart. Refused: VALIDATION_ERROR for any other cart. */
export async function cartConsignment(
  { db, caller, policy }: Pick<Context<'optional'>, 'db' | 'caller' | 'policy'>,
  cartId: string,
): Promise<Consignment> {
  const cart = caller && (await pricedCart(db, caller.id, policy));
  if (cart?.cartId !== cartId) throw invalid({ cartId: ['must be the id of your own cart'] });
  return {
    goods: cart.lines.map(({ product, quantity }) => ({ ...product, quantity })),
    goodsMinor: cart.price.subtotalMinor - cart.price.discountMinor,
  };
}

/** Goods of the shop at current prices. Refused: PRODUCT_NOT_FOUND, with the fields of the missing goods. */
export async function goodsConsignment(db: Db, quoted: readonly QuotedGoods[]): Promise<Consignment> {
  const goods = await goodsToShip(db, quoted);
  const missing = goods.flatMap(missingField);
  if (missing.length > 0)
    throw refusal('PRODUCT_NOT_FOUND', 'Some of these products do not exist.', Object.fromEntries(missing));
  return {
    goods,
    goodsMinor: sumMinor(goods.map(({ priceMinor, quantity }) => priceMinor * quantity)),
  };
}

/** Chosen: a variant of another product is treated like a missing product. */
function missingField(
  { productExists, variantExists }: GoodsToShip,
  place: number,
): [field: string, why: string[]][] {
  if (!productExists) return [[`items.${place}.productId`, ['is not a product']]];
  return variantExists ? [] : [[`items.${place}.variantId`, ['is not a variant of this product']]];
}
