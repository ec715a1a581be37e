import { z } from 'zod';
import type { CartLine } from '../../db/commerce/cart/cart.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../workflows/commerce/money.rules';
import { halfUp } from '../../workflows/commerce/order/pricing.rules';
import type { PricedCart } from './priced-cart';
import { ProductStatusField } from '../products/product.view';

export const CouponType = z
  .enum(['PERCENTAGE', 'FIXED'])
  .meta({ id: 'CouponType', description: 'The kind of discount: a percentage of the goods, or an amount.' });

const CartItem = z
  .object({
    id: z.uuid(),
    product: z
      .object({
        id: z.uuid(),
        name: z.string(),
        slug: z.string(),
        sku: z.string(),
        price: z.number().describe('The price of one unit, in the currency of `summary`.'),
        compareAtPrice: z
          .number()
          .nullable()
          .describe('The former price, shown crossed out; null without one.'),
        thumbnailUrl: z.string().nullable().describe('The URL of a small version; null without one.'),
        status: ProductStatusField,
        stockQuantity: z
          .number()
          .int()
          .nullable()
          .describe('Units that can be ordered; null if stock is not tracked.'),
      })
      .describe('The product that it is about.'),
    variantId: z.uuid().nullable().describe('The variant of the product; null for the product itself.'),
    variantAttributes: z
      .record(z.string(), z.string())
      .nullable()
      .describe('The attributes of the variant; null for the product itself.'),
    quantity: z.number().int(),
    unitPrice: z.number().describe('The price of one unit.'),
    totalPrice: z.number().describe('The price of all units.'),
    addedAt: z.iso.datetime().describe('When the line was added to the cart.'),
  })
  .meta({ id: 'CartItem', description: 'Goods in a cart, at their current price.' });

export const CartView = z
  .object({
    id: z.uuid(),
    items: z.array(CartItem).describe('The lines, one for each product or variant.'),
    summary: z
      .object({
        subtotal: z.number().describe('The price of the goods before discounts.'),
        discount: z.number().describe('Taken off the price of the goods.'),
        shipping: z.number().nullable().describe('The price of shipping; null until a destination is known.'),
        tax: z.number().describe('The tax on goods and shipping.'),
        total: z.number().describe('What is to be paid: goods less discount, shipping and tax.'),
        currency: z.string(),
        itemCount: z.number().int().describe('The number of lines.'),
        totalQuantity: z.number().int().describe('Units of all lines together.'),
      })
      .describe('What the cart costs.'),
    appliedCoupons: z
      .array(
        z.object({
          code: z.string().describe('The code of the coupon.'),
          discount: z.number().describe('Taken off the price of the goods.'),
          type: CouponType,
        }),
      )
      .describe('The coupons that lower the price, with the discount of each.'),
    estimatedCommission: z
      .number()
      .nullable()
      .describe('The commission that the goods bring a partner; null for others.'),
    estimatedCareerPoints: z
      .number()
      .nullable()
      .describe('Career points that the goods bring a partner; null for others.'),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Cart',
    description:
      'The cart of a user. Tax is that of the country of the default address, 0 without one; shipping is null until a ' +
      'method is chosen at checkout. Only coupons that apply now are listed.',
  });

export const CartSummaryShort = z
  .object({
    total: z.number().describe('What is to be paid: goods less discount, shipping and tax.'),
    itemCount: z.number().int().describe('The number of lines.'),
    totalQuantity: z.number().int().describe('Units of all lines together.'),
  })
  .meta({ id: 'CartSummaryShort', description: 'The total of a cart after a change of its lines.' });

/** Amounts of a cart in major units. One beyond the largest amount is shown as that; such a cart cannot be ordered. */
export const inCurrency = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);

export function cartView(cart: PricedCart): z.input<typeof CartView> {
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
