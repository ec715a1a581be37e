import { ApplicationFailure } from '@temporalio/common';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { paymentReported } from '../../../workflows/commerce/order/order.contract';
import { stretchLimits } from '../../../workflows/kit/limits/slowness';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { violations } from '../../support/checks/violations';
import { make } from '../../support/builders/make';
import { shopper, type Shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';
import { eventually } from '../../support/checks/eventually';
import { orderRow, press } from '../../support/builders/sandbox';

let world: World;
/** The buyers whose orders find the database away. */
const away = new Set<string>();
/** The buyers whose commands have waited for the database beyond their time. */
const late = new Set<string>();
/** A command as it stands after eleven more minutes. */
const afterElevenMinutes = <Command extends { notAfter?: string }>(command: Command): Command => ({
  ...command,
  notAfter: new Date(Date.parse(command.notAfter!) - 11 * 60_000).toISOString(),
});
beforeAll(async () => {
  world = await startWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      placeOrder(order) {
        if (late.has(order.userId)) return real.placeOrder(afterElevenMinutes(order));
        if (!away.has(order.userId)) return real.placeOrder(order);
        throw ApplicationFailure.create({ message: 'the database is away', nextRetryDelay: '500ms' });
      },
      openPayment: (order) => real.openPayment(late.has(order.orderId) ? afterElevenMinutes(order) : order),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

describe('POST /cart/checkout refuses', () => {
  it('an empty cart: CART_EMPTY', async () => {
    const ada = await shopper(world, []);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'CART_EMPTY']);
    await pause(1_000); // The server's list is a moment late.
    expect((await world.temporal.workflow.count(`WorkflowType = 'checkout'`)).count).toBe(0);
  });

  it('goods no longer sold: ITEMS_UNAVAILABLE, named', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    await execute(world.db, `UPDATE products SET status = 'ARCHIVED' WHERE id = $1`, [product.id]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'ITEMS_UNAVAILABLE']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
  });

  it('more than there is: INSUFFICIENT_STOCK, named, and nothing is taken', async () => {
    const product = await make.product(world.db, { stock: 3 });
    const ada = await shopper(world, [{ productId: product.id, quantity: 3 }]);
    await execute(world.db, `UPDATE stock_items SET available = 2 WHERE id = $1`, [product.stockItemId]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INSUFFICIENT_STOCK']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
    await execute(world.db, `UPDATE stock_items SET available = 3 WHERE id = $1`, [product.stockItemId]);
    expect((await ada.get('/cart')).body.data.items).toHaveLength(1);
  });

  it('a price that was never shown: PRICE_CHANGED, until the cart has shown it', async () => {
    const product = await make.product(world.db, { priceMinor: 1_000 });
    const ada = await shopper(world, [{ productId: product.id }]);
    await execute(world.db, `UPDATE products SET price_minor = 1200 WHERE id = $1`, [product.id]);
    const answer = await ada.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(answer.body.error.details.items).toEqual([product.sku]);
    expect((await ada.get('/cart')).body.data.items[0].unitPrice).toBe(12);
    expect((await ada.order()).summary.subtotal).toBe(12);
  });

  it("an address that is none, or another's: INVALID_ADDRESS", async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const other = await make.buyer(world.db);
    for (const body of [
      { shippingAddressId: other.addressId },
      { shippingAddressId: randomUUID() },
      { billingAddressId: other.addressId },
    ]) {
      const answer = await ada.checkout(body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_ADDRESS']);
    }
  });

  it('an address whose postal code is none of its country, as for a quote: INVALID_ADDRESS', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const odd = await make.address(world.db, ada.buyer.id, { postalCode: 'ABCDE' });
    const spaced = await make.address(world.db, ada.buyer.id, { postalCode: 'D-10117' });
    for (const field of ['shippingAddressId', 'billingAddressId']) {
      const { status, body } = await ada.checkout({ [field]: odd });
      expect([status, body.error.code]).toEqual([400, 'INVALID_ADDRESS']);
      expect(Object.keys(body.error.details)).toEqual([field]);
    }
    expect((await ada.checkout({ shippingAddressId: spaced })).status).toBe(201);
  });

  it('a shipping method that does not go there: INVALID_SHIPPING_METHOD', async () => {
    const product = await make.product(world.db);
    const toFrance = await make.shippingMethod(world.db, { countries: ['FR'] });
    const ada = await shopper(world, [{ productId: product.id }]);
    for (const shippingMethodId of [toFrance, randomUUID()]) {
      const answer = await ada.checkout({ shippingMethodId });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_SHIPPING_METHOD']);
    }
  });

  it('buyers who must be known better: KYC_REQUIRED', async () => {
    const dear = await make.product(world.db, { priceMinor: 99_600 });
    const unknown = await shopper(world, [{ productId: dear.id }], { kycLevel: 'NONE' });
    const answer = await unknown.checkout();
    expect([answer.status, answer.body.error.code]).toEqual([403, 'KYC_REQUIRED']);

    const cheap = await make.product(world.db);
    const earner = await shopper(world, [{ productId: cheap.id }], { kycLevel: 'BASIC' });
    await make.money(world.db, earner.buyer.id, 100, 'partner_available');
    const spent = await earner.checkout({ usePartnerBalance: true });
    expect([spent.status, spent.body.error.code]).toEqual([403, 'KYC_REQUIRED']);

    const late = await shopper(world, [{ productId: cheap.id }], { kycLevel: 'STANDARD' });
    await make.money(world.db, late.buyer.id, 100, 'partner_available');
    await execute(world.db, `UPDATE kyc_verifications SET expires_at = now() WHERE user_id = $1`, [
      late.buyer.id,
    ]);
    const over = await late.checkout({ usePartnerBalance: true });
    expect([over.status, over.body.error.code]).toEqual([403, 'KYC_REQUIRED']);
    expect((await late.checkout()).status).toBe(201);
  });

  it('a body that is not one: VALIDATION_ERROR with the field named', async () => {
    const ada = await shopper(world, []);
    const answer = await ada.post('/cart/checkout', { shippingAddressId: 'nope', paymentMethod: 'CASH' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details).sort()).toEqual([
      'paymentMethod',
      'shippingAddressId',
      'shippingMethodId',
    ]);
  });

  it('without a token: UNAUTHORIZED', async () => {
    const answer = await world.http.post('/api/v1/cart/checkout').send({});
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a third try within a minute: RATE_LIMIT_EXCEEDED, with the financial headers', async () => {
    const strict = await startWorld({ queues: ['interactive'], variables: { RATE_LIMIT_SCALE: '1' } });
    try {
      const ada = await shopper(strict, []);
      const answers = [await ada.checkout(), await ada.checkout(), await ada.checkout()];
      expect(answers.map((answer) => answer.status)).toEqual([400, 400, 429]);
      expect(answers[2]?.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(answers[2]?.headers).toMatchObject({
        'x-ratelimit-policy': 'financial',
        'x-ratelimit-limit': '2',
      });
    } finally {
      await strict.teardown();
    }
  });

  it('leaves no process behind', async () => {
    const ada = await shopper(world, []);
    await ada.checkout();
    const orders = await rows(world.db, 'SELECT 1 FROM orders WHERE user_id = $1', [ada.buyer.id]);
    expect(orders).toEqual([]);
  });
});

describe('checkout under contention', () => {
  afterEach(async () => expect(await violations(world.db)).toEqual([]));

  /** Signing in is slow on purpose, so the shoppers come a few at a time. */
  async function shoppers(count: number, goods: Parameters<typeof shopper>[1]): Promise<Shopper[]> {
    const all: Shopper[] = [];
    while (all.length < count)
      all.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(5, count - all.length) }, () => shopper(world, goods)),
        )),
      );
    return all;
  }
  const codes = (
    answers: { status: number; body: { error?: { code: string } } }[],
  ): Record<string, number> => {
    const counted: Record<string, number> = {};
    for (const { status, body } of answers) {
      const code = body.error?.code ?? String(status);
      counted[code] = (counted[code] ?? 0) + 1;
    }
    return counted;
  };

  it('50 buyers at once for a stock of 5: exactly 5 orders', async () => {
    const product = await make.product(world.db, { stock: 5 });
    const crowd = await shoppers(50, [{ productId: product.id }]);

    const answers = await Promise.all(crowd.map((one) => one.checkout()));

    expect(codes(answers)).toEqual({ '201': 5, INSUFFICIENT_STOCK: 45 });
    const stock = await firstRow(world.db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [
      product.stockItemId,
    ]);
    expect(stock).toEqual({ available: 0, reserved: 5 });
  });

  it('buyers of the same two goods in opposite orders do not block each other', async () => {
    const [a, b] = [await make.product(world.db, { stock: 50 }), await make.product(world.db, { stock: 50 })];
    const forth = await shoppers(5, [{ productId: a.id }, { productId: b.id }]);
    const back = await shoppers(5, [{ productId: b.id }, { productId: a.id }]);
    const answers = await Promise.all([...forth, ...back].map((one) => one.checkout()));
    expect(codes(answers)).toEqual({ '201': 10 });
  });

  it('one use of a coupon raced by 20: one wins', async () => {
    const product = await make.product(world.db);
    const { id, code } = await make.coupon(world.db, { usageLimit: 1 });
    const crowd = await shoppers(20, [{ productId: product.id }]);

    const answers = await Promise.all(crowd.map((one) => one.checkout({ couponCodes: [code] })));

    expect(codes(answers)).toEqual({ '201': 1, INVALID_COUPON: 19 });
    expect(await firstRow(world.db, 'SELECT used_count AS used FROM coupons WHERE id = $1', [id])).toEqual({
      used: 1,
    });
  });

  it('one cart checked out by 10 concurrent requests: one order', async () => {
    const product = await make.product(world.db);
    const [ada] = await shoppers(1, [{ productId: product.id }]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada!.checkout()));
    expect(codes(answers)).toEqual({ '201': 1, CART_EMPTY: 9 });
  });

  it('one wallet spent by two carts of its owner: never below zero', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000 });
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 5_000 });
    const { orderId } = await ada.order();
    await ada.post('/cart/items', { productId: product.id, quantity: 1 });
    const answers = await Promise.all([
      ada.checkout({ paymentMethod: 'BALANCE' }),
      ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'BALANCE' }),
    ]);
    expect(codes(answers)).toEqual({ '201': 1, INSUFFICIENT_BALANCE: 1 });
  });

  it('the same request twice at once under one key: one order, the same answer', async () => {
    const product = await make.product(world.db);
    const [ada] = await shoppers(1, [{ productId: product.id }]);
    const key = randomUUID();

    const twins = await Promise.all([ada!.checkout({}, key), ada!.checkout({}, key)]);

    const statuses = twins.map((answer) => answer.status).sort();
    expect([
      [201, 201],
      [201, 409],
    ]).toContainEqual(statuses);
    const again = await ada!.checkout({}, key);
    const winner = twins.find((answer) => answer.status === 201);
    expect(again.body).toEqual(winner?.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const orders = await rows(world.db, 'SELECT id FROM orders WHERE user_id = $1', [ada!.buyer.id]);
    expect(orders).toHaveLength(1);
  });

  it('cancel racing payment: one outcome, and the money is where it belongs', async () => {
    for (let round = 0; round < 12; round++) {
      const product = await make.product(world.db, { stock: 3 });
      const [ada] = await shoppers(1, [{ productId: product.id }]);
      const { orderId, payment } = await ada!.order();
      const [cancelled] = await Promise.all([
        ada!.post(`/orders/${orderId}/cancel`, { reason: 'race' }),
        press(world, payment.paymentUrl ?? '', 'pay'),
      ]);
      expect(cancelled.status).toBe(200);
      await eventually(async () =>
        expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
      );
    }
  });

  it('paid at the very end of its window: found by asking the provider, not lost', async () => {
    const product = await make.product(world.db);
    const [ada] = await shoppers(1, [{ productId: product.id }]);
    const { orderId, payment } = await ada!.order();
    const key = new URL(payment.paymentUrl ?? '').pathname.split('/').at(-1);
    await execute(
      world.db,
      `INSERT INTO sandbox_payments (id, payment_key, amount_minor, currency, status, created_at)
       VALUES ($1, $2, 3000, 'USD', 'PAID', now())`,
      [randomUUID(), key],
    );
    // No report ever comes; the window ends now, and the process learns of it.
    await execute(world.db, 'UPDATE orders SET payment_expires_at = now() WHERE id = $1', [orderId]);
    const checkout = checkoutProcess.id({ orderId });
    await world.temporal.workflow.getHandle(checkout).signal(paymentReported);
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
    );
  });
});

describe('a checkout whose database comes back after the answer 503', () => {
  beforeAll(() => stretchLimits(1));

  const linesOf = async (buyer: Shopper): Promise<{ product: { sku: string } }[]> =>
    (await buyer.get('/cart')).body.data.items;
  const ordersOf = (buyer: Shopper): Promise<{ id: string; totalMinor: number }[]> =>
    rows(world.db, 'SELECT id, total_minor FROM orders WHERE user_id = $1', [buyer.buyer.id]);
  const unanswered = async (buyer: Shopper, key: string): Promise<void> => {
    away.add(buyer.buyer.id);
    expect((await buyer.checkout({ paymentMethod: 'BALANCE' }, key)).status).toBe(503);
  };

  it('orders nothing that was put into the cart meanwhile', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000, stock: 5 });
    const other = await make.product(world.db, { priceMinor: 2_000, stock: 5 });
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 10_000 });
    const key = randomUUID();
    await unanswered(ada, key);
    await ada.post('/cart/items', { productId: other.id, quantity: 1 });
    expect(await linesOf(ada)).toHaveLength(2);

    away.delete(ada.buyer.id);

    const late = await ada.checkout({ paymentMethod: 'BALANCE' }, key);
    expect([late.status, late.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(late.body.error.details.items).toEqual([product.sku, other.sku]);
    expect(await ordersOf(ada)).toEqual([]);
    expect((await ada.get('/users/me/balance')).body.data.balances[0]).toMatchObject({ available: 100 });
    expect((await ada.order({ paymentMethod: 'BALANCE' })).summary.subtotal).toBe(60);
  });

  it('orders the cart as it was, and answers the same when it is repeated with another cart', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000, stock: 5 });
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 10_000 });
    const key = randomUUID();
    await unanswered(ada, key);

    away.delete(ada.buyer.id);

    await eventually(async () => expect(await linesOf(ada)).toEqual([]));
    await ada.post('/cart/items', { productId: product.id, quantity: 2 });
    const [order] = await ordersOf(ada);
    const repeated = await ada.checkout({ paymentMethod: 'BALANCE' }, key);
    expect([repeated.status, repeated.body.data.orderId]).toEqual([201, order?.id]);
    expect(repeated.body.data.summary.subtotal).toBe(40);
    expect(await ordersOf(ada)).toEqual([order]);
    expect(await linesOf(ada)).toHaveLength(1);
  });

  it('orders nothing ten minutes later; the same key then orders anew', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000, stock: 5 });
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 10_000 });
    const key = randomUUID();
    late.add(ada.buyer.id);
    const answer = await ada.checkout({ paymentMethod: 'BALANCE' }, key);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await ordersOf(ada)).toEqual([]);
    expect((await ada.get('/users/me/balance')).body.data.balances[0]).toMatchObject({ available: 100 });

    late.delete(ada.buyer.id);
    const again = await ada.checkout({ paymentMethod: 'BALANCE' }, key);
    expect(again.status).toBe(201);
    expect(await ordersOf(ada)).toMatchObject([{ id: again.body.data.orderId }]);
  });

  it('pays nothing ten minutes later; the same key then pays', async () => {
    const product = await make.product(world.db, { priceMinor: 4_000, stock: 5 });
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 10_000 });
    const { orderId } = await ada.order({ paymentMethod: 'BANK_TRANSFER' });
    const pay = (key: string) => ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'BALANCE' }, key);
    const key = randomUUID();
    late.add(orderId);
    const answer = await pay(key);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await ada.get('/users/me/balance')).body.data.balances[0]).toMatchObject({ available: 100 });

    late.delete(orderId);
    expect((await pay(key)).status).toBe(201);
    expect((await ada.get('/users/me/balance')).body.data.balances[0]).toMatchObject({ available: 55 });
  });
});
