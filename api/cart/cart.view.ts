import { z } from 'zod';
import type { CartLine } from '../../db/commerce/cart/cart.reads';
import { PRODUCT_STATUSES } from '../../workflows/commerce/cart/cart.rules';
import { PLATFORM_CURRENCY, figureInMajor } from '../../workflows/commerce/money.rules';
import { halfUp } from '../../workflows/commerce/order/pricing.rules';
import type { PricedCart } from './priced-cart';

const CartItem = z
  .object({
    id: z.uuid(),
    product: z.object({
      id: z.uuid(),
      name: z.string(),
      slug: z.string(),
      sku: z.string(),
      price: z.number(),
      compareAtPrice: z.number().nullable(),
      thumbnailUrl: z.string().nullable(),
      status: z.enum(PRODUCT_STATUSES),
      stockQuantity: z.number().int().nullable(),
    }),
    variantId: z.uuid().nullable(),
    variantAttributes: z.record(z.string(), z.string()).nullable(),
    quantity: z.number().int(),
    unitPrice: z.number(),
    totalPrice: z.number(),
    addedAt: z.iso.datetime(),
  })
  .meta({ id: 'CartItem', description: 'Goods in a cart, at their current price.' });

export const CartView = z
  .object({
    id: z.uuid(),
    items: z.array(CartItem),
    summary: z.object({
      subtotal: z.number(),
      discount: z.number(),
      shipping: z.number().nullable(),
      tax: z.number(),
      total: z.number(),
      currency: z.string(),
      itemCount: z.number().int(),
      totalQuantity: z.number().int(),
    }),
    appliedCoupons: z.array(
      z.object({ code: z.string(), discount: z.number(), type: z.enum(['PERCENTAGE', 'FIXED']) }),
    ),
    estimatedCommission: z.number().nullable(),
    estimatedCareerPoints: z.number().nullable(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Cart',
    description:
      'The cart of a user. Tax is that of the country of the default address, 0 without one; shipping is null until a ' +
      'method is chosen at checkout. Only coupons that apply now are listed.',
  });

export const CartSummaryShort = z
  .object({ total: z.number(), itemCount: z.number().int(), totalQuantity: z.number().int() })
  .meta({ id: 'CartSummaryShort', description: 'The total of a cart after a change of its lines.' });

/** Amounts of a cart in major units. One beyond the largest amount is shown as that; such a cart cannot be ordered. */
export const inCurrency = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);

export function viewCart(cart: PricedCart): z.input<typeof CartView> {
  const { price } = cart;
  return {
    id: cart.cartId,
    items: cart.lines.map((line, index) => viewItem(line, price.lines[index]?.totalMinor ?? 0)),
    summary: {
      subtotal: inCurrency(price.subtotalMinor),
      discount: inCurrency(price.discountMinor),
      shipping: price.shippingMinor === null ? null : inCurrency(price.shippingMinor),
      tax: inCurrency(price.taxMinor),
      currency: PLATFORM_CURRENCY,
      ...summariseCart(cart),
    },
    appliedCoupons: cart.coupons.map(({ code, type }, index) => ({
      code,
      discount: inCurrency(price.coupons[index]?.discountMinor ?? 0),
      type,
    })),
    estimatedCommission: estimate(cart, (line) => line.product.commissionBp),
    estimatedCareerPoints: estimate(cart, (line) => line.product.careerPointsBp),
    updatedAt: cart.updatedAt.toISOString(),
  };
}

export function summariseCart(cart: PricedCart): z.input<typeof CartSummaryShort> {
  return {
    total: inCurrency(cart.price.totalMinor),
    itemCount: cart.lines.length,
    totalQuantity: cart.lines.reduce((sum, line) => sum + line.quantity, 0),
  };
}

function viewItem(line: CartLine, totalMinor: number): z.input<typeof CartItem> {
  const { product, variant } = line;
  return {
    id: line.itemId,
    product: {
      id: product.id,
      name: product.name,
      slug: product.slug,
      sku: product.sku,
      price: inCurrency(product.priceMinor),
      compareAtPrice: product.compareAtPriceMinor === null ? null : inCurrency(product.compareAtPriceMinor),
      thumbnailUrl: product.thumbnailUrl,
      status: product.shownStatus,
      stockQuantity: line.available,
    },
    variantId: variant?.id ?? null,
    variantAttributes: variant?.attributes ?? null,
    quantity: line.quantity,
    unitPrice: inCurrency(line.currentPriceMinor),
    totalPrice: inCurrency(totalMinor),
    addedAt: line.addedAt.toISOString(),
  };
}

/** Σ (line after discount × its rate), exact and rounded half up once; null for an empty cart. */
function estimate(cart: PricedCart, rateBp: (line: CartLine) => number): number | null {
  if (cart.lines.length === 0) return null;
  const sum = cart.lines.reduce((all, line, index) => {
    const priced = cart.price.lines[index];
    return priced ? all + BigInt(priced.totalMinor - priced.discountMinor) * BigInt(rateBp(line)) : all;
  }, 0n);
  return inCurrency(halfUp(sum, 10_000n));
}
