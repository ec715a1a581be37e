import { v7 } from 'uuid';
import { cartToOrder } from '../../../../db/commerce/cart/cart-to-order.reads';
import { type Db, execute, firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  NOTHING_HELD,
  orderState,
  orderSteps,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import fc from 'fast-check';
import { pricedCart } from '../../../../api/cart/priced-cart';
import {
  type CouponValue,
  type PricedCoupon,
  type PricedLine,
  priceOrder,
} from '../../../../workflows/commerce/order/pricing.rules';
import { shippingPrice, weightOf } from '../../../../workflows/commerce/shipping/shipping.rules';
import { make } from '../../../support/builders/make';

const own = ownDatabase();

const at = new Date().toISOString();
const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Runs a step twice, as after a crash before its answer arrived: both answers are the same. */
async function twice<Answer>(step: () => Promise<Answer>): Promise<Answer> {
  const first = await step();
  expect(await step()).toEqual(first);
  return first;
}
const historyOf = async ({ orderId }: OrderToPlace): Promise<string[]> =>
  (
    await rows<{ status: string }>(
      own.db,
      `SELECT status FROM order_status_changes WHERE order_id = $1 ORDER BY changed_at, id`,
      [orderId],
    )
  ).map(({ status }) => status);
const attemptsOf = async ({ orderId }: OrderToPlace): Promise<string[]> =>
  (
    await rows<{ attempt: string }>(
      own.db,
      `SELECT method || ' ' || status AS attempt FROM payment_attempts WHERE order_id = $1 ORDER BY sequence`,
      [orderId],
    )
  ).map(({ attempt }) => attempt);
const mailsOf = async ({ orderId }: OrderToPlace): Promise<number> =>
  (await rows(own.db, `SELECT 1 FROM outbox_messages WHERE reference = $1`, [`order:${orderId}:paid`]))
    .length;

describe('placeOrder, twice', () => {
  test('takes stock and coupon once, and opens one payment', async () => {
    const order = await given(own.db).cart();
    const placed = await twice(() => steps().placeOrder({ ...order, ...order.input, at }));
    expect(placed).toMatchObject({
      standing: { status: 'PENDING_PAYMENT', payBy: later(30), wasPaid: false },
      payment: {
        method: 'CARD',
        amountMinor: PRICE_MINOR,
        paymentUrl: expect.stringContaining(order.attemptId),
      },
      summaryMinor: { subtotal: 5_000, discount: 500, shipping: 500, tax: 0, total: PRICE_MINOR },
    });
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      ...TWO_RESERVED,
    });
    expect(await historyOf(order)).toEqual(['PENDING_PAYMENT']);
    expect(await attemptsOf(order)).toEqual(['CARD PENDING']);
  });

  test('from the balance: takes the money once and sells the goods once', async () => {
    const order = await given(own.db).cart({ method: 'BALANCE', walletMinor: 6_000 });
    const placed = await twice(() => steps().placeOrder({ ...order, ...order.input, at }));
    expect(placed.standing.status).toBe('PAID');
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      walletMinor: 1_000,
      ...TWO_SOLD,
    });
    expect(await mailsOf(order)).toBe(1);
  });

  test('from a balance that is too small: refused, and nothing is taken', async () => {
    const order = await given(own.db).cart({ method: 'BALANCE', walletMinor: PRICE_MINOR - 1 });
    for (const time of [at, later(1)])
      await expect(steps().placeOrder({ ...order, ...order.input, at: time })).rejects.toMatchObject({
        type: 'INSUFFICIENT_BALANCE',
      });
    expect(await orderState(own.db, order)).toMatchObject({
      order: null,
      walletMinor: PRICE_MINOR - 1,
      ...NOTHING_HELD,
    });
  });
});

describe('a command whose time has passed', () => {
  const tooLate = { notAfter: new Date(Date.now() - 1_000).toISOString() };
  const inTime = { notAfter: new Date(Date.now() + 600_000).toISOString() };

  test('places no order and takes no money; what it has done before is answered alike', async () => {
    const order = await given(own.db).cart({ method: 'BALANCE', walletMinor: 6_000 });
    const command = { ...order, ...order.input, at };
    await expect(steps().placeOrder({ ...command, ...tooLate })).rejects.toMatchObject({ type: 'TooLate' });
    expect(await orderState(own.db, order)).toMatchObject({
      order: null,
      walletMinor: 6_000,
      ...NOTHING_HELD,
    });
    const placed = await steps().placeOrder({ ...command, ...inTime });
    expect(placed.standing.status).toBe('PAID');
    expect(await steps().placeOrder({ ...command, ...tooLate })).toEqual(placed);
  });

  test('opens and pays nothing; what it has done before is answered alike', async () => {
    const order = await given(own.db).order({ walletMinor: 7_000, at });
    const { orderId } = order;
    const command = { orderId, attemptId: v7(), paymentMethod: 'BALANCE' as const, at: later(1) };
    await expect(steps().openPayment({ ...command, ...tooLate })).rejects.toMatchObject({ type: 'TooLate' });
    expect(await attemptsOf(order)).toEqual(['CARD PENDING']);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      walletMinor: 7_000,
    });
    const paid = await steps().openPayment({ ...command, ...inTime });
    expect(paid.standing.status).toBe('PAID');
    expect(await steps().openPayment({ ...command, ...tooLate })).toEqual(paid);
  });
});

describe('openPayment, twice', () => {
  test('opens one new attempt and ends the old one', async () => {
    const order = await given(own.db).order({ at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'EWALLET' as const,
      at: later(20),
    };
    const offered = await twice(() => steps().openPayment(command));
    expect(offered).toMatchObject({ standing: { payBy: later(50) }, payment: { method: 'EWALLET' } });
    expect(await attemptsOf(order)).toEqual(['CARD CANCELLED', 'EWALLET PENDING']);
  });

  test('pays from the balance once', async () => {
    const order = await given(own.db).order({ walletMinor: 7_000, at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'BALANCE' as const,
      at: later(1),
    };
    expect((await twice(() => steps().openPayment(command))).standing.status).toBe('PAID');
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', walletMinor: 2_000 });
  });

  test('a balance that is too small leaves the attempt before as it was', async () => {
    const order = await given(own.db).order({ at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'BALANCE' as const,
      at: later(1),
    };
    await expect(steps().openPayment(command)).rejects.toMatchObject({ type: 'INSUFFICIENT_BALANCE' });
    expect(await attemptsOf(order)).toEqual(['CARD PENDING']);
  });
});

describe('expireOrder, twice', () => {
  test('returns stock and coupon once', async () => {
    const order = await given(own.db).order({ at });
    const early = await steps().expireOrder({ orderId: order.orderId, at: later(29) });
    expect(early.status).toBe('PENDING_PAYMENT');
    const expired = await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(30) }));
    expect(expired.status).toBe('CANCELLED');
    expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
    expect(await attemptsOf(order)).toEqual(['CARD EXPIRED']);
  });

  test('returns the partner balance that was held for it, once', async () => {
    const partnerMinor = 1_200;
    const order = await given(own.db).order({ partnerMinor, at });
    const balance = async (): Promise<unknown> =>
      firstRow(
        own.db,
        `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_available'`,
        [order.userId],
      );
    expect(await balance()).toEqual({ minor: 0 });
    await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(30) }));
    expect(await balance()).toEqual({ minor: partnerMinor });
  });

  test('does not change an order that was paid at the last moment', async () => {
    const order = await given(own.db).order({ at });
    const { webhookEventId } = await storedReport(own.db, 'PAID', order);
    await steps().applyPaymentEvent({ webhookEventId, at: later(30) });
    const standing = await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(31) }));
    expect(standing.status).toBe('PAID');
  });
});

describe('the prices of an order', () => {
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
        fc
          .integer({ min: 1, max: 50_000 })
          .map((amountMinor): CouponValue => ({ type: 'FIXED', amountMinor })),
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
    for (const [
      i,
      { priceMinor, variantPriceMinor, quantity, weightGrams, isInCategory },
    ] of goods.entries()) {
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
        const { version } = await cartToOrder(db, { orderId, userId: buyer.id, cartDays: 90 });
        await orderSteps(db).placeOrder({
          ...{ orderId, userId: buyer.id, attemptId: v7(), at: new Date().toISOString() },
          cartVersion: version,
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
  });
});
