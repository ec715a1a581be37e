import { whyNotInCart, type RequestedLine } from '../../../../workflows/commerce/cart/cart.rules';

const wanted: RequestedLine = { status: 'ACTIVE', available: 10, maxPerLine: 5, quantity: 1 };

test.each<[string, Partial<RequestedLine>, string | null]>([
  ['goods on sale', {}, null],
  ['as many as a line may hold', { quantity: 5 }, null],
  ['the last unit', { available: 1 }, null],
  ['goods whose stock is not tracked', { available: null }, null],
  ['a draft', { status: 'DRAFT', available: 0 }, 'PRODUCT_NOT_FOUND'],
  ['goods taken off sale', { status: 'ARCHIVED', available: 0 }, 'PRODUCT_UNAVAILABLE'],
  ['goods said to be out of stock', { status: 'OUT_OF_STOCK' }, 'PRODUCT_UNAVAILABLE'],
  ['goods that have run out', { available: 0 }, 'INSUFFICIENT_STOCK'],
  ['more than stock and line hold', { quantity: 11 }, 'INSUFFICIENT_STOCK'],
  ['more than a line may hold', { quantity: 6 }, 'MAX_QUANTITY_EXCEEDED'],
  ['more uncounted goods than a line may hold', { quantity: 6, available: null }, 'MAX_QUANTITY_EXCEEDED'],
])('into the cart: %s', (_case, change, why) => {
  expect(whyNotInCart({ ...wanted, ...change })).toBe(why);
});
