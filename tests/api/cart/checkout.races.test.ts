import { randomUUID } from 'node:crypto';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { checkoutProcess } from '../../../workflows/commerce/order/checkout.contract';
import { paymentReported } from '../../../workflows/commerce/order/order.contract';
import { violations } from '../../support/checks/violations';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper, type Shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));
afterAll(() => world.teardown());

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
const codes = (answers: { status: number; body: { error?: { code: string } } }[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { status, body } of answers) {
    const code = body.error?.code ?? String(status);
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};

describe('checkout under contention', () => {
  it('50 buyers at once for a stock of 5: exactly 5 orders', async () => {
    const product = await make.product(world.db, { stock: 5 });
    const crowd = await shoppers(50, [{ productId: product.id }]);

    const answers = await Promise.all(crowd.map((one) => one.checkout()));

    expect(codes(answers)).toEqual({ '201': 5, INSUFFICIENT_STOCK: 45 });
    const stock = await firstRow(world.db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [
      product.stockItemId,
    ]);
    expect(stock).toEqual({ available: 0, reserved: 5 });
  }, 120_000);

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
