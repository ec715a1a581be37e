import { MAX_AMOUNT_MINOR } from '../../../workflows/commerce/money.rules';
import { invalid } from '../../http/validation/validation';
import type { PricedCart } from '../priced-cart';
import type { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { RequestedLine, whyNotInCart } from '../../../workflows/commerce/cart/cart.rules';
import { refusal } from '../../../workflows/errors';

/** A number of units. The upper limit depends on the goods, so it is not checked here. */
export const Quantity = z.int().min(1);

export const noSuchItem = (): ApplicationFailure => refusal('CART_ITEM_NOT_FOUND');

export const noSuchProduct = (): ApplicationFailure => refusal('PRODUCT_NOT_FOUND');

/** The refusal of goods that a cart cannot hold. */
export function lineRefusal(
  code: NonNullable<ReturnType<typeof whyNotInCart>>,
  { available, maxPerLine }: Pick<RequestedLine, 'available' | 'maxPerLine'>,
): ApplicationFailure {
  switch (code) {
    case 'PRODUCT_NOT_FOUND':
      return noSuchProduct();
    case 'PRODUCT_UNAVAILABLE':
      return refusal(code, 'This product is not on sale.');
    case 'INSUFFICIENT_STOCK':
      return refusal(code, available ? `Only ${available} in stock.` : 'This product is out of stock.');
    case 'MAX_QUANTITY_EXCEEDED':
      return refusal(code, `An order can have at most ${maxPerLine} of this product.`);
  }
}

/** The cart, if an order can be worth that much. Refuses with VALIDATION_ERROR (`quantity`). */
export function requireOrderable(cart: PricedCart): PricedCart {
  const { subtotalMinor, taxMinor } = cart.price;
  if (subtotalMinor + taxMinor > MAX_AMOUNT_MINOR)
    throw invalid({ quantity: ['makes the cart worth more than an order can be'] });
  return cart;
}
