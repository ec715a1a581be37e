import type { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { whyNotInCart } from '../../../workflows/commerce/cart/cart.rules';
import { refusal } from '../../../workflows/errors';

/** A number of units. The upper limit depends on the goods, so it is not checked here. */
export const Quantity = z.int().min(1);

const WORDS = {
  PRODUCT_NOT_FOUND: 'There is no such product.',
  PRODUCT_UNAVAILABLE: 'This product is not on sale.',
  INSUFFICIENT_STOCK: 'There are not that many in stock.',
  MAX_QUANTITY_EXCEEDED: 'This is more than one order may hold of this product.',
} as const satisfies Record<NonNullable<ReturnType<typeof whyNotInCart>>, string>;

export const noSuchItem = (): ApplicationFailure =>
  refusal('CART_ITEM_NOT_FOUND', 'There is no such item in the cart.');

/** The refusal of goods that a cart cannot hold. */
export const lineRefusal = (code: keyof typeof WORDS): ApplicationFailure => refusal(code, WORDS[code]);
