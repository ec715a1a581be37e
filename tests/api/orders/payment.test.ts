import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { sendChargeback } from '../../support/builders/chargebacks';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper, type Shopper } from '../../support/builders/shop';
import { ownCheckedWorld } from '../../support/worlds/world';
import { moves } from '../../support/builders/delivering';

const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

describe('payment', () => {
  async function ordered(): Promise<{
    ada: Shopper;
    orderId: string;
    paymentUrl: string;
    stockItemId: string | null;
  }> {
    const product = await make.product(world.db, { stock: 10 });
    const ada = await shopper(world, [{ productId: product.id, quantity: 2 }]);
    const { orderId, payment } = await ada.order();
    return { ada, orderId, paymentUrl: payment.paymentUrl ?? '', stockItemId: product.stockItemId };
  }
  const hasStatus = (orderId: string, status: string, paymentStatus: string): Promise<void> =>
    eventually(async () => expect(await orderRow(world, orderId)).toEqual({ status, paymentStatus }));
  const available = async (stockItemId: string | null): Promise<number | undefined> =>
    (
      await rows<{ available: number }>(world.db, 'SELECT available FROM stock_items WHERE id = $1', [
        stockItemId,
      ])
    )[0]?.available;
  const refundsOf = (orderId: string): Promise<{ reason: string; status: string; amount: number }[]> =>
    rows(world.db, `SELECT reason, status, amount_minor AS amount FROM payment_refunds WHERE order_id = $1`, [
      orderId,
    ]);

  describe('an order and its payment', () => {
    it('is paid on the page, then processed, and the buyer gets one mail', async () => {
      const { ada, orderId, paymentUrl } = await ordered();
      await press(world, paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
      const order = (await ada.get(`/orders/${orderId}`)).body.data;
      expect(order.payment.transactionId).toEqual(expect.any(String));
      expect(order.statusHistory.map((change: { status: string }) => change.status)).toEqual([
        'PENDING_PAYMENT',
        'PAID',
        'PROCESSING',
      ]);
      const mails = await rows(world.db, `SELECT 1 FROM outbox_messages WHERE reference = $1`, [
        `order:${orderId}:paid`,
      ]);
      expect(mails).toHaveLength(1);
      const fulfilment = await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).describe();
      expect(fulfilment.status.name).toBe('RUNNING');
      // The report of the payment has started fulfilment, and woken the checkout.
      expect(await world.temporal.workflow.getHandle(`checkout:${orderId}`).result()).toBe('PAID');
    });

    it('declined, then paid by another attempt', async () => {
      const { ada, orderId, paymentUrl } = await ordered();
      await press(world, paymentUrl, 'decline');
      await hasStatus(orderId, 'PENDING_PAYMENT', 'FAILED');
      const again = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'EWALLET' });
      expect(again.status).toBe(201);
      expect(again.body.data).toMatchObject({ orderId, payment: { method: 'EWALLET' } });
      await press(world, again.body.data.payment.paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
    });

    it('paid twice: the second money goes back', async () => {
      const { orderId, paymentUrl } = await ordered();
      await press(world, paymentUrl, 'pay-twice');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
      await eventually(async () =>
        expect(await refundsOf(orderId)).toEqual([
          { reason: 'DUPLICATE_PAYMENT', status: 'COMPLETED', amount: 5_500 },
        ]),
      );
      expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' });
    });

    it('paid late: cancelled, and the money goes back', async () => {
      const { orderId, paymentUrl, stockItemId } = await ordered();
      await press(world, paymentUrl, 'pay-late');
      await hasStatus(orderId, 'CANCELLED', 'REFUNDED');
      expect(await refundsOf(orderId)).toEqual([
        { reason: 'LATE_PAYMENT', status: 'COMPLETED', amount: 5_500 },
      ]);
      expect(await available(stockItemId)).toBe(10);
      const history = await rows<{ note: string }>(
        world.db,
        `SELECT note FROM order_status_changes WHERE order_id = $1 AND status = 'CANCELLED'`,
        [orderId],
      );
      expect(history).toEqual([{ note: 'payment expired' }]);
    });

    it("an old attempt's expiry does not kill a newer attempt", async () => {
      const { ada, orderId, paymentUrl } = await ordered();
      const again = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'EWALLET' });
      await press(world, paymentUrl, 'decline');
      await eventually(async () => {
        const events = await rows(
          world.db,
          `SELECT 1 FROM webhook_events WHERE status = 'PROCESSED' AND body LIKE $1`,
          [`%${new URL(paymentUrl).pathname.split('/').at(-1) ?? ''}%`],
        );
        expect(events).toHaveLength(1);
      });
      expect(await orderRow(world, orderId)).toEqual({ status: 'PENDING_PAYMENT', paymentStatus: 'PENDING' });
      await press(world, again.body.data.payment.paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
    });

    it('money of another amount pays nothing and goes back; the order can still be paid', async () => {
      const { ada, orderId, paymentUrl } = await ordered();
      const asksFor = (minor: number) =>
        execute(world.db, `UPDATE payment_attempts SET amount_minor = $2 WHERE order_id = $1`, [
          orderId,
          minor,
        ]);
      await asksFor(1);
      await press(world, paymentUrl, 'pay');
      await eventually(async () =>
        expect(await refundsOf(orderId)).toEqual([
          { reason: 'AMOUNT_MISMATCH', status: 'COMPLETED', amount: 5_500 },
        ]),
      );
      await asksFor(5_500);
      expect(await orderRow(world, orderId)).toEqual({ status: 'PENDING_PAYMENT', paymentStatus: 'FAILED' });
      const again = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'CARD' });
      await press(world, again.body.data.payment.paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
    });

    it('an impossible report waits for an operator, who may abandon it', async () => {
      const { orderId, paymentUrl } = await ordered();
      await press(world, paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
      await sendChargeback(world, orderId, 'payment.charged_back', { amountMinor: 999_999 });
      const parked = await eventually(async () => {
        const [found] = await rows<{ workflowId: string; error: string }>(
          world.db,
          `SELECT workflow_id, last_error AS error FROM parked_processes WHERE type = 'paymentEvent'`,
        );
        expect(found?.error).toContain('has 5500 left');
        return found!;
      });
      const staff = await make.admin(world.db);
      const token = (await world.http.post('/api/v1/auth/login').send(staff)).body.data.accessToken as string;
      const abandoned = await world.http
        .post(`/api/v1/admin/operations/${encodeURIComponent(parked.workflowId)}/abandon`)
        .auth(token, { type: 'bearer' })
        .send({});
      expect(abandoned.status).toBe(200);
      await eventually(async () => {
        const events = await rows(world.db, `SELECT 1 FROM webhook_events WHERE status = 'DEAD'`);
        expect(events).toHaveLength(1);
      });
    });
  });

  describe('POST /orders/:id/pay', () => {
    it('settles from the balance', async () => {
      const { ada, orderId } = await ordered();
      const poor = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'BALANCE' });
      expect([poor.status, poor.body.error.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
      await make.money(world.db, ada.buyer.id, 5_500);
      const rich = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'BALANCE' });
      expect(rich.status).toBe(201);
      await hasStatus(orderId, 'PROCESSING', 'PAID');
    });

    it('refuses an order that is paid: NOT_PAYABLE', async () => {
      const { ada, orderId, paymentUrl } = await ordered();
      await press(world, paymentUrl, 'pay');
      await hasStatus(orderId, 'PROCESSING', 'PAID');
      const answer = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'CARD' });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'NOT_PAYABLE']);
    });

    it("refuses another's order: ORDER_NOT_FOUND", async () => {
      const { orderId } = await ordered();
      const bob = await shopper(world, []);
      const answer = await bob.post(`/orders/${orderId}/pay`, { paymentMethod: 'CARD' });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    });
  });
});

describe('POST /orders/:id/cancel', () => {
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
    expect(Cancelled.parse(answer.body.data)).toMatchObject({
      refundStatus: 'COMPLETED',
      refundAmount: 30,
    });
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
    expect(Cancelled.parse(answer.body.data)).toMatchObject({
      refundStatus: 'PROCESSING',
      refundAmount: 30,
    });
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
    );
    const sent = await firstRow<{ count: number; total: number }>(
      world.db,
      `SELECT count(*)::int AS count, sum(s.amount_minor)::int AS total FROM sandbox_refunds s
       JOIN payment_refunds r ON s.key = r.id || ':1' WHERE r.order_id = $1`,
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

  it('refuses an order that has left: CANNOT_CANCEL, and stores no note', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 5_000 });
    const { orderId } = await ada.order({ paymentMethod: 'BALANCE' });
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    await moves(world, orderId, 'SHIPPED');
    const answer = await ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late' });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'CANNOT_CANCEL']);
    const notes = await rows(world.db, 'SELECT 1 FROM request_notes WHERE actor_id = $1', [ada.buyer.id]);
    expect(notes).toEqual([]);
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
