import type { CartLine } from '../../../db/commerce/cart/cart.reads';
import type { PlaceOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { refusal } from '../../../workflows/errors';

/**
 * Refuses a cart that has changed since the API accepted the request: PRICE_CHANGED, by all of its goods. A delayed request
 * must not order goods that were added since.
 */
export function requireSameCart(
  request: Pick<PlaceOrder, 'cartVersion'>,
  cart: { lines: CartLine[]; cartVersion: string | null },
): void {
  if (request.cartVersion !== cart.cartVersion)
    throw refusal('PRICE_CHANGED', 'The cart has changed since it was shown. Please check it again.', {
      items: cart.lines.map(skuOf),
    });
}

const skuOf = (line: CartLine): string => line.variant?.sku ?? line.product.sku;

/** Refuses goods that are no longer sold, and more of them than there are: ITEMS_UNAVAILABLE, INSUFFICIENT_STOCK. */
export function requireAvailable(lines: CartLine[]): void {
  const gone = lines.filter((line) => line.product.status !== 'ACTIVE');
  if (gone.length > 0)
    throw refusal('ITEMS_UNAVAILABLE', 'Some products in the cart are no longer sold.', {
      items: gone.map(skuOf),
    });
  const tooMany = lines.filter((line) => line.available !== null && line.available < line.quantity);
  if (tooMany.length > 0) throw insufficientStock(tooMany);
}

/** The refusal of lines that exceed the stock, by the SKUs of their goods. */
export function insufficientStock(lines: CartLine[]): Error {
  return refusal('INSUFFICIENT_STOCK', 'Some products in the cart are not in stock in this quantity.', {
    items: lines.map(skuOf),
  });
}

/** Refuses goods at a price that the cart has not shown: PRICE_CHANGED. */
export function requireShownPrices(lines: CartLine[]): void {
  const changed = lines.filter((line) => line.shownPriceMinor !== line.currentPriceMinor);
  if (changed.length > 0) throw priceChanged(changed);
}

/** The refusal of lines whose price or discount is not the one that was shown. */
export const priceChanged = (lines: CartLine[]): Error =>
  refusal('PRICE_CHANGED', 'Prices have changed since the cart was shown. Please check it again.', {
    items: lines.map(skuOf),
  });
