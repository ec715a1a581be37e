import { execute, rows } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { sendChargeback } from '../../support/builders/chargebacks';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper, type Shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

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
