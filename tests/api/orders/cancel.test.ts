import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { firstRow } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { moves } from '../../support/builders/delivering';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
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

const Cancelled = z.strictObject({
  orderId: z.uuid(),
  orderNumber: z.string(),
  status: z.literal('CANCELLED'),
  refundStatus: z.enum(['PENDING', 'PROCESSING', 'COMPLETED']).nullable(),
  refundAmount: z.number().nullable(),
  message: z.string(),
});
const balance = async (userId: string, account: string): Promise<number> => {
  const found = await firstRow<{ balance: number }>(
    world.db,
    `SELECT balance_minor AS balance FROM ledger_balances WHERE user_id = $1 AND account = $2`,
    [userId, account],
  );
  return found?.balance ?? 0;
};

describe('POST /orders/:id/cancel', () => {
  it('cancels an unpaid order: stock, coupon and partner balance are returned', async () => {
    const product = await make.product(world.db, { stock: 5 });
    const coupon = await make.coupon(world.db, { usageLimit: 1 });
    const ada = await shopper(world, [{ productId: product.id, quantity: 5 }], { kycLevel: 'STANDARD' });
    await make.money(world.db, ada.buyer.id, 1_000, 'partner_available');
    const { orderId } = await ada.order({ couponCodes: [coupon.code], usePartnerBalance: true });
    expect(await balance(ada.buyer.id, 'partner_available')).toBe(0);

    const answer = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });

    expect(answer.status).toBe(200);
    expect(Cancelled.parse(answer.body.data)).toMatchObject({ refundStatus: null, refundAmount: null });
    expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'FAILED' });
    expect(await balance(ada.buyer.id, 'partner_available')).toBe(1_000);
    const used = await firstRow<{ used: number; uses: number }>(
      world.db,
      `SELECT used_count AS used, uses FROM coupons c JOIN coupon_uses u ON u.coupon_id = c.id WHERE c.id = $1`,
      [coupon.id],
    );
    expect(used).toEqual({ used: 0, uses: 0 });
    const order = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(order.statusHistory.at(-1)).toMatchObject({ status: 'CANCELLED', note: 'Changed my mind' });
    expect([order.canCancel, order.canRefund]).toEqual([false, false]);
  });

  it('pays a settled order back to the balance at once', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 5_000 });
    const { orderId } = await ada.order({ paymentMethod: 'BALANCE' });
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    const answer = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late' });
    expect(Cancelled.parse(answer.body.data)).toMatchObject({ refundStatus: 'COMPLETED', refundAmount: 30 });
    expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
    expect(await balance(ada.buyer.id, 'wallet')).toBe(5_000);
  });

  it('sends the money of a card back through the provider, once', async () => {
    const product = await make.product(world.db, { stock: 7 });
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId, payment } = await ada.order();
    await press(world, payment.paymentUrl ?? '', 'pay');
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    const answer = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late' });
    expect(Cancelled.parse(answer.body.data)).toMatchObject({ refundStatus: 'PROCESSING', refundAmount: 30 });
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
    );
    const sent = await firstRow<{ count: number; total: number }>(
      world.db,
      `SELECT count(*)::int AS count, sum(s.amount_minor)::int AS total FROM sandbox_refunds s
       JOIN payment_refunds r ON r.id::text = s.key WHERE r.order_id = $1`,
      [orderId],
    );
    expect(sent).toEqual({ count: 1, total: 3_000 });
    const stock = await firstRow(world.db, `SELECT available, reserved FROM stock_items WHERE id = $1`, [
      product.stockItemId,
    ]);
    expect(stock).toEqual({ available: 7, reserved: 0 });
  });

  it('answers a repeat with the same key with the same words, and refuses a second cancellation', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId } = await ada.order();
    const key = randomUUID();
    const first = await ada.post(`/orders/${orderId}/cancel`, { reason: 'One' }, key);
    const repeat = await ada.post(`/orders/${orderId}/cancel`, { reason: 'One' }, key);
    expect(repeat.body).toEqual(first.body);
    expect(repeat.headers['idempotent-replayed']).toBe('true');
    const second = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Two' });
    expect([second.status, second.body.error.code]).toEqual([400, 'CANNOT_CANCEL']);
  });

  it('refuses an order that has left: CANNOT_CANCEL', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 5_000 });
    const { orderId } = await ada.order({ paymentMethod: 'BALANCE' });
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    await moves(world, orderId, 'SHIPPED');
    const answer = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'CANNOT_CANCEL']);
  });

  it('wants a reason: VALIDATION_ERROR', async () => {
    const ada = await shopper(world, []);
    const answer = await ada.post(`/orders/${randomUUID()}/cancel`, { reason: '  ' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details.reason).toHaveLength(1);
  });

  it("knows no order of another's: ORDER_NOT_FOUND, the same as for none", async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId } = await ada.order();
    const bob = await shopper(world, []);
    const foreign = await bob.post(`/orders/${orderId}/cancel`, { reason: 'Mine?' });
    const none = await bob.post(`/orders/${randomUUID()}/cancel`, { reason: 'Mine?' });
    expect([foreign.status, foreign.body]).toEqual([404, none.body]);
    const anonymous = await world.http.post(`/api/v1/orders/${orderId}/cancel`).send({ reason: 'x' });
    expect(anonymous.body.error.code).toBe('UNAUTHORIZED');
  });
});
