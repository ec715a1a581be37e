import { z } from 'zod';
import { firstRow } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
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
