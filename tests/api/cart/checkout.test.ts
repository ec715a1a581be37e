import { z } from 'zod';
import { execute, firstRow } from '../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { make } from '../../support/builders/make';
import { shopper, type Shopper } from '../../support/builders/shop';
import { ownCheckedWorld } from '../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

const refusalOf = async (ada: Shopper, ...request: Parameters<Shopper['checkout']>) => {
  const { status, body } = await ada.checkout(...request);
  return { refusal: `${status} ${body.error?.code}`, details: body.error?.details as unknown };
};
const shown = async (ada: Shopper) => (await ada.get('/cart')).body.data.summary as Record<string, number>;
const withCoupon = async (ada: Shopper, code: string): Promise<number> =>
  (await ada.post('/cart/coupons', { code })).body.data.summary.discount as number;

describe('POST /cart/checkout charges what the cart last showed, or answers why not', () => {
  it('409 PRICE_CHANGED names each line whose price changed and no other, a variant by its own SKU', async () => {
    const { db } = world;
    const [dearer, cheaper, same] = [await make.product(db), await make.product(db), await make.product(db)];
    const variant = await make.variant(db, same.id);
    const ada = await shopper(world, [
      { productId: dearer.id },
      { productId: same.id },
      { productId: cheaper.id },
      { productId: same.id, variantId: variant.id },
    ]);
    await shown(ada);
    await execute(db, 'UPDATE products SET price_minor = price_minor + 1 WHERE id = $1', [dearer.id]);
    await execute(db, 'UPDATE products SET price_minor = price_minor - 1 WHERE id = $1', [cheaper.id]);
    await execute(db, 'UPDATE product_variants SET price_minor = 9900 WHERE id = $1', [variant.id]);
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [dearer.sku, cheaper.sku, variant.sku] },
    });
    const { subtotal } = await shown(ada);
    expect((await ada.order()).summary.subtotal).toBe(subtotal);
  });

  it('adding to one line says nothing of the others: what is new of them is still 409 PRICE_CHANGED', async () => {
    const [one, other] = [await make.product(world.db), await make.product(world.db)];
    const ada = await shopper(world, [{ productId: one.id }, { productId: other.id }]);
    await execute(world.db, 'UPDATE products SET price_minor = 2600 WHERE id = ANY ($1::uuid[])', [
      [one.id, other.id],
    ]);
    await ada.post('/cart/items', { productId: one.id, quantity: 1 });
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [other.sku] },
    });
  });

  it('a coupon worth something else than was shown: 409 PRICE_CHANGED, naming the goods that it is for', async () => {
    const [lamp, chair] = [await make.product(world.db), await make.product(world.db)];
    const coupon = await make.coupon(world.db, { percentageBp: 1_000, productIds: [lamp.id] });
    const ada = await shopper(world, [{ productId: lamp.id }, { productId: chair.id }]);
    expect(await withCoupon(ada, coupon.code)).toBe(2.5);
    await execute(world.db, 'UPDATE coupons SET percentage_bp = 500 WHERE id = $1', [coupon.id]);
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [lamp.sku] },
    });
    expect((await shown(ada))['discount']).toBe(1.25);
    expect((await ada.order()).summary.discount).toBe(1.25);
  });

  it.each<[string, string, string]>([
    ['expired', `ends_at = now() - interval '1 second'`, 'has expired'],
    ['was switched off', 'is_active = false', 'is not active'],
    ['was deleted', 'deleted_at = now()', 'is not active'],
    ['asks for more goods', 'min_subtotal_minor = 1000000', 'requires products worth at least 10000.00 USD'],
  ])(
    'a coupon that was shown and since %s: 400 INVALID_COUPON, until the cart shows so',
    async (_case, change, words) => {
      const product = await make.product(world.db);
      const coupon = await make.coupon(world.db);
      const ada = await shopper(world, [{ productId: product.id }]);
      await withCoupon(ada, coupon.code);
      await execute(world.db, `UPDATE coupons SET ${change} WHERE id = $1`, [coupon.id]);
      const { refusal, details } = await refusalOf(ada);
      expect([refusal, (details as { couponCodes: string[] }).couponCodes]).toEqual([
        '400 INVALID_COUPON',
        [`${coupon.code} ${words}`],
      ]);
      expect((await shown(ada))['discount']).toBe(0);
      expect((await ada.order()).summary.discount).toBe(0);
    },
  );

  it('a change of the cart shows the new discount, which is then charged', async () => {
    const product = await make.product(world.db);
    const coupon = await make.coupon(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    await withCoupon(ada, coupon.code);
    const added = await ada.post('/cart/items', { productId: product.id, quantity: 3 });
    expect(added.body.data.cartSummary.total).toBe(90);
    expect((await ada.order()).summary).toMatchObject({ subtotal: 100, discount: 10 });
  });

  it('coupons on the cart come before those named with the order, percentages before amounts', async () => {
    const { db } = world;
    const product = await make.product(db, { priceMinor: 10_000 });
    const [fixed, half, tenth] = [
      await make.coupon(db, { amountMinor: 1_000 }),
      await make.coupon(db, { percentageBp: 5_000 }),
      await make.coupon(db, { percentageBp: 1_000 }),
    ];
    const ada = await shopper(world, [{ productId: product.id }]);
    await withCoupon(ada, fixed.code);
    const { orderId, summary } = await ada.order({ couponCodes: [half.code, tenth.code, fixed.code] });
    expect(summary).toMatchObject({ subtotal: 100, discount: 65 });
    const order = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(
      new Map(
        order.appliedCoupons.map((used: { code: string; discount: number }) => [used.code, used.discount]),
      ),
    ).toEqual(
      new Map([
        [fixed.code, 10],
        [half.code, 50],
        [tenth.code, 5],
      ]),
    );
  });
});

describe('a variant that is no longer sold', () => {
  it('stays in the cart and says so, is ITEMS_UNAVAILABLE at checkout, and goes into no cart: VARIANT_NOT_FOUND', async () => {
    const product = await make.product(world.db);
    const [sold, former] = [
      await make.variant(world.db, product.id),
      await make.variant(world.db, product.id),
    ];
    const ada = await shopper(world, [
      { productId: product.id, variantId: sold.id },
      { productId: product.id, variantId: former.id },
    ]);
    await execute(
      world.db,
      `WITH withdrawn AS (UPDATE stock_items SET withdrawn = true WHERE variant_id = $1)
       UPDATE product_variants SET deleted_at = now() WHERE id = $1`,
      [former.id],
    );
    const { items } = (await ada.get('/cart')).body.data as {
      items: { id: string; product: { status: string } }[];
    };
    expect(items.map((item) => item.product.status)).toEqual(['ACTIVE', 'ARCHIVED']);
    expect(await refusalOf(ada)).toEqual({
      refusal: '400 ITEMS_UNAVAILABLE',
      details: { items: [former.sku] },
    });
    const again = await ada.post('/cart/items', { productId: product.id, variantId: former.id, quantity: 1 });
    expect([again.status, again.body.error.code]).toEqual([404, 'VARIANT_NOT_FOUND']);
    await world.http.delete(`/api/v1/cart/items/${items[1]!.id}`).set('authorization', `Bearer ${ada.token}`);
    expect((await ada.order()).summary.subtotal).toBe(25);
  });
});

const Placed = z.strictObject({
  orderId: z.uuid(),
  orderNumber: z.string().regex(/^ORD-\d{4}-\d{8}$/),
  status: z.literal('PENDING_PAYMENT'),
  payment: z.strictObject({
    method: z.enum(['CARD', 'EWALLET', 'BANK_TRANSFER', 'BALANCE']),
    amount: z.number(),
    currency: z.literal('USD'),
    paymentUrl: z.url().optional(),
    bankDetails: z
      .strictObject({ bankName: z.string(), accountNumber: z.string(), bik: z.string(), purpose: z.string() })
      .optional(),
    expiresAt: z.iso.datetime(),
  }),
  summary: z.strictObject({
    subtotal: z.number(),
    discount: z.number(),
    shipping: z.number(),
    tax: z.number(),
    total: z.number(),
  }),
  estimatedDelivery: z.iso.date().nullable(),
});

const stockOf = (stockItemId: string | null) =>
  firstRow<{ available: number; reserved: number }>(
    world.db,
    'SELECT available, reserved FROM stock_items WHERE id = $1',
    [stockItemId],
  );
const windowHours = (expiresAt: string): number => (Date.parse(expiresAt) - Date.now()) / 3_600_000;

describe('POST /cart/checkout', () => {
  it('places an order: reserved, priced with tax and shipping, and the cart is empty', async () => {
    await make.taxRate(world.db, 'DE', 1_900);
    const product = await make.product(world.db, { priceMinor: 10_000, stock: 10 });
    const ada = await shopper(world, [{ productId: product.id, quantity: 2 }]);

    const answer = await ada.checkout({ notes: 'Ring twice.' });

    expect(answer.status).toBe(201);
    const placed = Placed.parse(answer.body.data);
    expect(placed.summary).toEqual({ subtotal: 200, discount: 0, shipping: 5, tax: 38.95, total: 243.95 });
    expect(placed.payment).toMatchObject({ method: 'CARD', amount: 243.95 });
    expect(placed.payment.paymentUrl).toContain('/sandbox/payments/');
    expect(windowHours(placed.payment.expiresAt)).toBeCloseTo(0.5, 1);
    expect(await stockOf(product.stockItemId)).toEqual({ available: 8, reserved: 2 });
    expect((await ada.get('/cart')).body.data.items).toEqual([]);
    const order = (await ada.get(`/orders/${placed.orderId}`)).body.data;
    expect(order).toMatchObject({
      status: 'PENDING_PAYMENT',
      paymentStatus: 'PENDING',
      notes: 'Ring twice.',
    });
    await make.taxRate(world.db, 'DE', 0);
  });

  it('costs one workflow task and at most twelve events until its answer', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId } = await ada.order();

    const history = await world.temporal.workflow.getHandle(`checkout:${orderId}`).fetchHistory();
    const types = (history.events ?? []).map((event) => Number(event.eventType));
    const ANSWERED = 43; // EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED
    const TASK_STARTED = 6;
    const untilAnswer = types.slice(0, types.indexOf(ANSWERED) + 1);
    expect(untilAnswer.at(-1)).toBe(ANSWERED);
    expect(untilAnswer.length).toBeLessThanOrEqual(12);
    expect(untilAnswer.filter((type) => type === TASK_STARTED)).toHaveLength(1);
  });

  it('offers a bank account for a transfer, for 72 hours', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { payment, orderNumber } = Placed.parse(
      (await ada.checkout({ paymentMethod: 'BANK_TRANSFER' })).body.data,
    );
    expect(payment.bankDetails?.purpose).toBe(orderNumber);
    expect(payment.paymentUrl).toBeUndefined();
    expect(windowHours(payment.expiresAt)).toBeCloseTo(72, 1);
  });

  it('offers a page for an e-wallet', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { payment } = Placed.parse((await ada.checkout({ paymentMethod: 'EWALLET' })).body.data);
    expect(payment.paymentUrl).toContain('/sandbox/payments/');
  });

  it('settles from the balance at once, and refuses what the balance does not cover', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000 });
    const rich = await shopper(world, [{ productId: product.id }], { walletMinor: 10_000 });
    const { orderId } = await rich.order({ paymentMethod: 'BALANCE' });
    const order = (await rich.get(`/orders/${orderId}`)).body.data;
    expect(order.paymentStatus).toBe('PAID');
    expect(order.statusHistory.slice(0, 2).map((change: { status: string }) => change.status)).toEqual([
      'PENDING_PAYMENT',
      'PAID',
    ]);
    const left = await firstRow<{ balance: number }>(
      world.db,
      `SELECT balance_minor AS balance FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'`,
      [rich.buyer.id],
    );
    expect(left?.balance).toBe(10_000 - 4_500);

    const poor = await shopper(world, [{ productId: product.id }], { walletMinor: 4_499 });
    const refused = await poor.checkout({ paymentMethod: 'BALANCE' });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect((await poor.get('/cart')).body.data.items).toHaveLength(1);
  });

  it('spends the partner balance first, and the method pays the rest', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000 });
    const partner = await shopper(world, [{ productId: product.id }], { kycLevel: 'STANDARD' });
    await make.money(world.db, partner.buyer.id, 1_500, 'partner_available');
    const { payment, summary } = await partner.order({ usePartnerBalance: true });
    expect([summary.total, payment.amount]).toEqual([45, 30]);

    const covered = await shopper(world, [{ productId: product.id }], { kycLevel: 'STANDARD' });
    await make.money(world.db, covered.buyer.id, 9_000, 'partner_available');
    const { orderId } = await covered.order({ usePartnerBalance: true });
    expect((await covered.get(`/orders/${orderId}`)).body.data.paymentStatus).toBe('PAID');
  });

  it('takes coupons and refuses those that do not apply', async () => {
    const product = await make.product(world.db, { priceMinor: 10_000 });
    const { code } = await make.coupon(world.db, { percentageBp: 2_500 });
    const ada = await shopper(world, [{ productId: product.id }]);
    const refused = await ada.checkout({ couponCodes: ['NO-SUCH-CODE'] });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_COUPON']);
    expect(refused.body.error.details.couponCodes[0]).toContain('NO-SUCH-CODE');

    const { summary, orderId } = await ada.order({ couponCodes: [code.toLowerCase()] });
    expect(summary).toMatchObject({ subtotal: 100, discount: 25, total: 80 });
    expect((await ada.get(`/orders/${orderId}`)).body.data.appliedCoupons).toEqual([{ code, discount: 25 }]);
  });

  it('sells variants at their own price and from their own stock', async () => {
    const product = await make.product(world.db);
    const large = await make.variant(world.db, product.id, { priceMinor: 3_000, stock: 4 });
    const ada = await shopper(world, [{ productId: product.id, variantId: large.id, quantity: 3 }]);
    const { summary } = await ada.order();
    expect(summary.subtotal).toBe(90);
    expect(await stockOf(large.stockItemId)).toEqual({ available: 1, reserved: 3 });
  });
});
