import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { execute, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  eventRow,
  NOTHING_HELD,
  noteOf,
  orderStep,
  orderSteps,
  paidOrder,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 60_000).toISOString();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Stores a report and applies it twice, as when the first answer was lost. */
async function applyTwice(
  ...report: Parameters<typeof storedReport> extends [unknown, ...infer Rest] ? Rest : never
) {
  const event = await storedReport(own.db, ...report);
  const first = await steps().applyPaymentEvent({ webhookEventId: event.webhookEventId, at });
  const second = await steps().applyPaymentEvent({ webhookEventId: event.webhookEventId, at });
  return { event, first, second };
}

const capturesOf = ({ orderId }: OrderCommand): Promise<{ applied: boolean }[]> =>
  rows(own.db, `SELECT applied FROM payment_captures WHERE order_id = $1 ORDER BY id`, [orderId]);

describe('applyPaymentEvent, twice', () => {
  test('PAID: the money is taken once', async () => {
    const order = await placedOrder(own.db);
    const { event, first, second } = await applyTwice('PAID', order);
    expect([first.outcome, second.outcome]).toEqual(['APPLIED', 'WITHOUT_EFFECT']);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
    expect(await capturesOf(order)).toEqual([{ applied: true }]);
    expect(await eventRow(own.db, event)).toMatchObject({ status: 'PROCESSED', error: null });
  });

  test('the same payment in two reports is one payment', async () => {
    const order = await placedOrder(own.db);
    const payment = { ...order, paymentId: v7() };
    await applyTwice('PAID', payment);
    const { first } = await applyTwice('PAID', payment);
    expect(first).toEqual({
      ...{ outcome: 'WITHOUT_EFFECT', orderId: order.orderId, userId: order.userId },
      ...{ awaitsFulfilment: true, refundsDue: [] },
    });
    expect(await capturesOf(order)).toEqual([{ applied: true }]);
  });

  test('another payment of a paid order goes back, by one refund', async () => {
    const order = await paidOrder(own.db);
    const { first, second } = await applyTwice('PAID', order);
    expect(first).toMatchObject({ outcome: 'RETURNED', refundsDue: [{ orderId: order.orderId }] });
    expect(second).toEqual({ ...first, outcome: 'WITHOUT_EFFECT' });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
    });
    expect(await capturesOf(order)).toEqual([{ applied: true }, { applied: false }]);
  });

  test('a payment of a cancelled order goes back, by one refund', async () => {
    const order = await placedOrder(own.db);
    const noteId = await noteOf(own.db, order.userId, 'No.');
    await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    const { second } = await applyTwice('PAID', order);
    expect(second).toMatchObject({ refundsDue: [{ orderId: order.orderId }] });
    expect(await orderStep(own.db, order)).toMatchObject({
      refunds: ['LATE_PAYMENT PROCESSING'],
      ...NOTHING_HELD,
    });
  });

  test('money that a look-up recorded after its checkout went on: its report starts the refund', async () => {
    const order = await placedOrder(own.db);
    const late = new Date(Date.now() + 31 * 60_000).toISOString();
    await steps().expireOrder({ orderId: order.orderId, at: late });
    const payment = { key: order.attemptId, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
    await enterSandboxPayments(own.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
    const { orderId } = order;
    const [found] = await steps().lookUpPayments({ orderId, provider: 'sandbox', at: late });
    const { first } = await applyTwice('PAID', { ...order, paymentId: found!.report.paymentId });
    expect(first).toMatchObject({
      outcome: 'WITHOUT_EFFECT',
      refundsDue: [{ refundId: expect.any(String) as string, orderId }],
    });
    expect((await orderStep(own.db, order)).refunds).toEqual(['LATE_PAYMENT PROCESSING']);
  });

  test('DECLINED: the order still waits, and says that it failed', async () => {
    const order = await placedOrder(own.db);
    await applyTwice('DECLINED', order);
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      ...TWO_RESERVED,
    });
  });

  test('EXPIRED: the order is cancelled', async () => {
    const order = await placedOrder(own.db);
    await applyTwice('EXPIRED', order);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('an old report on an attempt that was given up does not change the new one', async () => {
    const order = await placedOrder(own.db);
    const command = { orderId: order.orderId, attemptId: v7(), paymentMethod: 'EWALLET' as const, at };
    await steps().openPayment(command);
    await applyTwice('DECLINED', order);
    await applyTwice('EXPIRED', order);
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      ...TWO_RESERVED,
    });
  });

  test('money overrides reports: an attempt that was declined may still pay, and nothing takes it back', async () => {
    const order = await placedOrder(own.db);
    await applyTwice('DECLINED', order);
    await applyTwice('PAID', order);
    await applyTwice('DECLINED', order);
    await applyTwice('EXPIRED', order);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
  });
});

describe('a report that cannot be applied', () => {
  test('speaks of a payment that is not known yet: it waits', async () => {
    const { event, second } = await applyTwice('PAID', { attemptId: v7() });
    expect(second).toEqual({ outcome: 'UNKNOWN_PAYMENT' });
    expect(await eventRow(own.db, event)).toEqual({
      status: 'WAITING',
      error: 'unknown payment',
      attempts: 2,
    });
    await steps().buryEvent({ webhookEventId: event.webhookEventId, reason: 'too late', at });
    await steps().buryEvent({ webhookEventId: event.webhookEventId, reason: 'too late', at });
    expect(await eventRow(own.db, event)).toMatchObject({ status: 'DEAD', error: 'too late' });
  });

  test("speaks of another provider's payment: it is not known", async () => {
    const order = await placedOrder(own.db);
    const { first } = await applyTwice('PAID', { ...order, provider: 'another' });
    expect(first).toEqual({ outcome: 'UNKNOWN_PAYMENT' });
    expect(await capturesOf(order)).toEqual([]);
  });

  test.each(['{}', 'no JSON', '{"type":"payment.paid","data":{"key":"x"}}'])(
    'is not of the agreed form: %s',
    async (body) => {
      const { webhookEventId } = await storedReport(own.db, 'PAID', { attemptId: v7() });
      await execute(own.db, `UPDATE webhook_events SET body = $2 WHERE id = $1`, [webhookEventId, body]);
      await expect(steps().applyPaymentEvent({ webhookEventId, at })).rejects.toMatchObject({
        type: 'PoisonousEvent',
      });
    },
  );
});
