import fc from 'fast-check';
import { v7 } from 'uuid';
import { pricedCart } from '../../../../api/cart/priced-cart';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import {
  priceOrder,
  type CouponValue,
  type PricedCoupon,
  type PricedLine,
} from '../../../../workflows/commerce/order/pricing.rules';
import { shippingPrice, weightOf } from '../../../../workflows/commerce/shipping/shipping.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { orderSteps } from '../../../support/builders/ordering';

const own = ownDatabase();

const goods = fc.record({
  priceMinor: fc.integer({ min: 0, max: 60_000 }),
  variantPriceMinor: fc.option(fc.integer({ min: 0, max: 60_000 })),
  quantity: fc.integer({ min: 1, max: 9 }),
  weightGrams: fc.option(fc.integer({ min: 0, max: 30_000 })),
  isInCategory: fc.boolean(),
});
const coupons = fc.array(
  fc.record({
    value: fc.oneof(
      fc
        .integer({ min: 1, max: 10_000 })
        .map((percentageBp): CouponValue => ({ type: 'PERCENTAGE', percentageBp })),
      fc.integer({ min: 1, max: 50_000 }).map((amountMinor): CouponValue => ({ type: 'FIXED', amountMinor })),
    ),
    scope: fc.constantFrom('all', 'first product', 'category'),
    isOnCart: fc.boolean(),
  }),
  { maxLength: 4 },
);
const shops = fc.record({
  goods: fc.array(goods, { minLength: 1, maxLength: 5 }),
  coupons,
  taxRateBp: fc.integer({ min: 0, max: 3_000 }),
  tariff: fc.record({
    baseMinor: fc.integer({ min: 0, max: 5_000 }),
    perKgMinor: fc.integer({ min: 0, max: 1_000 }),
    freeThresholdMinor: fc.option(fc.integer({ min: 0, max: 100_000 })),
  }),
});
type Shop = typeof shops extends fc.Arbitrary<infer Value> ? Value : never;

/** A shop with these goods and coupons; the first product is in the category, so that every coupon covers goods. */
async function stocked(db: Db, { goods, coupons: requested }: Shop) {
  const category = await make.category(db);
  const below = await make.category(db, { parentId: category.id });
  const lines: (PricedLine & { variantId?: string; weightGrams: number | null })[] = [];
  for (const [i, { priceMinor, variantPriceMinor, quantity, weightGrams, isInCategory }] of goods.entries()) {
    const categoryIds = isInCategory || i === 0 ? [below.id, category.id] : [];
    const product = await make.product(db, { priceMinor, weightGrams, categoryId: categoryIds[0] ?? null });
    const variant =
      variantPriceMinor === null
        ? null
        : await make.variant(db, product.id, { priceMinor: variantPriceMinor });
    lines.push({
      ...{
        productId: product.id,
        ...(variant && { variantId: variant.id }),
        categoryIds,
        quantity,
        weightGrams,
      },
      unitPriceMinor: variantPriceMinor ?? priceMinor,
    });
  }
  const made: (PricedCoupon & { id: string; isOnCart: boolean })[] = [];
  for (const { value, scope, isOnCart } of requested) {
    const { type: _type, ...kept } = value;
    const productIds = scope === 'first product' ? [lines[0]!.productId] : [];
    const categoryIds = scope === 'category' ? [category.id] : [];
    const coupon = await make.coupon(db, { ...kept, productIds, categoryIds });
    made.push({ ...value, ...coupon, productIds, categoryIds, isOnCart });
  }
  // Coupons of the cart come before coupons of the request.
  const inOrder = [...made.filter(({ isOnCart }) => isOnCart), ...made.filter(({ isOnCart }) => !isOnCart)];
  return { lines, coupons: inOrder };
}

const kept = (orderId: string) =>
  firstRow<Record<string, number>>(
    own.db,
    `SELECT subtotal_minor, discount_minor, shipping_minor,
       tax_minor, total_minor FROM orders WHERE id = $1`,
    [orderId],
  );
const keptLines = (orderId: string) =>
  rows(
    own.db,
    `SELECT product_id, quantity, unit_price_minor, total_minor,
       discount_minor, tax_minor FROM order_items WHERE order_id = $1 ORDER BY position`,
    [orderId],
  );
const keptCoupons = (orderId: string) =>
  rows<{ code: string }>(own.db, 'SELECT code, discount_minor FROM order_coupons WHERE order_id = $1', [
    orderId,
  ]);
const byCode = <Coupon extends { code: string }>(all: readonly Coupon[]): Coupon[] =>
  all.toSorted((one, other) => one.code.localeCompare(other.code));

test('an order is kept as the rules price its cart, to the cent, in whole and in parts; so is what the cart showed', async () => {
  const { db } = own;
  await fc.assert(
    fc.asyncProperty(shops, async (shop) => {
      const { lines, coupons: allCoupons } = await stocked(db, shop);
      const buyer = await make.buyer(db);
      await make.taxRate(db, 'DE', shop.taxRateBp);
      const shippingMethodId = await make.shippingMethod(db, shop.tariff);
      const cartId = await make.cart(db, buyer.id, lines);
      const onCart = allCoupons.filter(({ isOnCart }) => isOnCart);
      for (const [i, { id }] of onCart.entries())
        await execute(db, 'INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, $3)', [
          cartId,
          id,
          new Date(i),
        ]);

      const withoutShipping = { lines, taxRateBp: shop.taxRateBp, shippingMinor: null };
      expect((await pricedCart(db, buyer.id, { cartDays: 90 }))?.price).toEqual(
        priceOrder({ ...withoutShipping, coupons: onCart }),
      );

      const orderId = v7();
      await orderSteps(db).placeOrder({
        ...{ orderId, userId: buyer.id, attemptId: v7(), at: new Date().toISOString() },
        ...{ shippingAddressId: buyer.addressId, billingAddressId: null, shippingMethodId, noteId: null },
        ...{ paymentMethod: 'CARD', usePartnerBalance: false },
        couponCodes: allCoupons.filter(({ isOnCart }) => !isOnCart).map(({ code }) => code),
      });

      const { subtotalMinor, discountMinor } = priceOrder({ ...withoutShipping, coupons: allCoupons });
      const parcel = { weightGrams: weightOf(lines), goodsMinor: subtotalMinor - discountMinor };
      const shippingMinor = shippingPrice(shop.tariff, parcel);
      const price = priceOrder({ ...withoutShipping, coupons: allCoupons, shippingMinor });
      const { taxMinor, totalMinor } = price;
      expect(await kept(orderId)).toEqual({
        subtotalMinor,
        discountMinor,
        shippingMinor,
        taxMinor,
        totalMinor,
      });
      expect(await keptLines(orderId)).toEqual(
        lines.map(({ productId, quantity, unitPriceMinor }, i) => ({
          ...{ productId, quantity, unitPriceMinor },
          ...price.lines[i],
        })),
      );
      expect(byCode(await keptCoupons(orderId))).toEqual(byCode(price.coupons));
    }),
    { numRuns: 40 },
  );
  expect(await violations(db)).toEqual([]);
}, 120_000);
