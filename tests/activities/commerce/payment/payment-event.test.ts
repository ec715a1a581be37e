import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { execute, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  eventRow,
  noteOf,
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
import { MAX_AMOUNT_MINOR } from '../../../../workflows/commerce/money.rules';
import { countingTries, warmPool } from '../../../support/servers/tries';

const own = ownDatabase();

/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 10 * 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const steps = () => orderSteps(own.db);

/** Stores a report and applies it twice, as when the first answer was lost. */
async function applyTwice(
  ...report: Parameters<typeof storedReport> extends [unknown, ...infer Rest] ? Rest : never
) {
  const event = await storedReport(own.db, ...report);
  const first = await steps().applyPaymentEvent({ webhookEventId: event.webhookEventId, at });
  const second = await steps().applyPaymentEvent({ webhookEventId: event.webhookEventId, at });
  return { event, first, second };
}
const capturesOf = ({ orderId }: OrderToPlace): Promise<{ applied: boolean }[]> =>
  rows(own.db, `SELECT applied FROM payment_captures WHERE order_id = $1 ORDER BY id`, [orderId]);

describe('applyPaymentEvent, twice', () => {
  test('PAID: the money is taken once', async () => {
    const order = await given(own.db).order();
    const { event, first, second } = await applyTwice('PAID', order);
    expect([first.outcome, second.outcome]).toEqual(['APPLIED', 'WITHOUT_EFFECT']);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
    expect(await capturesOf(order)).toEqual([{ applied: true }]);
    expect(await eventRow(own.db, event)).toMatchObject({ status: 'PROCESSED', error: null });
  });

  test('the same payment in two reports is one payment', async () => {
    const order = await given(own.db).order();
    const payment = { ...order, paymentId: v7() };
    await applyTwice('PAID', payment);
    const { first } = await applyTwice('PAID', payment);
    expect(first).toEqual({
      ...{ outcome: 'WITHOUT_EFFECT', orderId: order.orderId, userId: order.userId },
      ...{ awaitsFulfilment: true, refundsDue: [], label: expect.stringContaining('ORD-') as string },
    });
    expect(await capturesOf(order)).toEqual([{ applied: true }]);
  });

  test('another payment of a paid order goes back, by one refund', async () => {
    const order = await given(own.db).order().paid();
    const { first, second } = await applyTwice('PAID', order);
    expect(first).toMatchObject({ outcome: 'RETURNED', refundsDue: [{ orderId: order.orderId }] });
    expect(second).toEqual({ ...first, outcome: 'WITHOUT_EFFECT' });
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
    });
    expect(await capturesOf(order)).toEqual([{ applied: true }, { applied: false }]);
  });

  test('a payment of a cancelled order goes back, by one refund', async () => {
    const order = await given(own.db).order();
    const noteId = await noteOf(own.db, order.userId, 'No.');
    await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    const { second } = await applyTwice('PAID', order);
    expect(second).toMatchObject({ refundsDue: [{ orderId: order.orderId }] });
    expect(await orderState(own.db, order)).toMatchObject({
      refunds: ['LATE_PAYMENT PROCESSING'],
      ...NOTHING_HELD,
    });
  });

  test('money that a look-up recorded after its checkout went on: its report starts the refund', async () => {
    const order = await given(own.db).order();
    const late = new Date(Date.now() + 90 * 60_000).toISOString();
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
    expect((await orderState(own.db, order)).refunds).toEqual(['LATE_PAYMENT PROCESSING']);
  });

  test('DECLINED: the order still waits, and says that it failed', async () => {
    const order = await given(own.db).order();
    await applyTwice('DECLINED', order);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      ...TWO_RESERVED,
    });
  });

  test('EXPIRED: the order is cancelled', async () => {
    const order = await given(own.db).order();
    await applyTwice('EXPIRED', order);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('an old report on an attempt that was given up does not change the new one', async () => {
    const order = await given(own.db).order();
    const command = { orderId: order.orderId, attemptId: v7(), paymentMethod: 'EWALLET' as const, at };
    await steps().openPayment(command);
    await applyTwice('DECLINED', order);
    await applyTwice('EXPIRED', order);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      ...TWO_RESERVED,
    });
  });

  test('money overrides reports: an attempt that was declined may still pay, and nothing takes it back', async () => {
    const order = await given(own.db).order();
    await applyTwice('DECLINED', order);
    await applyTwice('PAID', order);
    await applyTwice('DECLINED', order);
    await applyTwice('EXPIRED', order);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
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
    await steps().markEventDead({ webhookEventId: event.webhookEventId, reason: 'too late', at });
    await steps().markEventDead({ webhookEventId: event.webhookEventId, reason: 'too late', at });
    expect(await eventRow(own.db, event)).toMatchObject({ status: 'DEAD', error: 'too late' });
  });

  test("speaks of another provider's payment: it is not known", async () => {
    const order = await given(own.db).order();
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

/** Reports of money in another amount or currency than its attempt asks for; the last look: payment-lookup. */
describe('money of another amount or currency', () => {
  const activities = () => orderSteps(own.db);

  interface Money {
    amountMinor: number;
    currency: string;
  }
  const OTHER: [string, Money][] = [
    ['a cent less', { amountMinor: PRICE_MINOR - 1, currency: 'USD' }],
    ['a cent more', { amountMinor: PRICE_MINOR + 1, currency: 'USD' }],
    ['another currency', { amountMinor: PRICE_MINOR, currency: 'EUR' }],
  ];

  /** Applies a report of money; answers what came of it. */
  async function apply(reported: Parameters<typeof storedReport>[2]) {
    const { webhookEventId } = await storedReport(own.db, 'PAID', reported);
    return activities().applyPaymentEvent({ webhookEventId, at });
  }
  const capturesOf = ({ orderId }: OrderToPlace) =>
    rows(
      own.db,
      `SELECT amount_minor, currency, applied FROM payment_captures WHERE order_id = $1 ORDER BY id`,
      [orderId],
    );
  const attemptsOf = async ({ orderId }: OrderToPlace): Promise<string[]> =>
    (
      await rows<{ status: string }>(
        own.db,
        'SELECT status FROM payment_attempts WHERE order_id = $1 ORDER BY sequence',
        [orderId],
      )
    ).map(({ status }) => status);

  describe('reported by webhook', () => {
    test.each(OTHER)('%s: it is booked and goes back, and the order waits on', async (_, money) => {
      const order = await given(own.db).order();
      const { webhookEventId } = await storedReport(own.db, 'PAID', { ...order, ...money });
      const first = await activities().applyPaymentEvent({ webhookEventId, at });
      expect(first).toMatchObject({ outcome: 'RETURNED', refundsDue: [{ orderId: order.orderId }] });
      expect(await activities().applyPaymentEvent({ webhookEventId, at })).toEqual({
        ...first,
        outcome: 'WITHOUT_EFFECT',
      });
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PENDING_PAYMENT FAILED',
        refunds: ['AMOUNT_MISMATCH PROCESSING'],
        ...TWO_RESERVED,
      });
      expect(await capturesOf(order)).toEqual([{ ...money, applied: false }]);
      expect(await attemptsOf(order)).toEqual(['DECLINED']);
    });

    test('the buyer gets a new page for the same method, and the right money pays the order', async () => {
      const order = await given(own.db).order();
      await apply({ ...order, amountMinor: 1 });
      const attemptId = v7();
      await activities().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at });
      expect(await attemptsOf(order)).toEqual(['DECLINED', 'PENDING']);
      expect(await apply({ attemptId })).toMatchObject({ outcome: 'APPLIED' });
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['AMOUNT_MISMATCH PROCESSING'],
        ...TWO_SOLD,
      });
    });

    test('money for an earlier attempt leaves the newest one open', async () => {
      const order = await given(own.db).order();
      await activities().openPayment({
        orderId: order.orderId,
        attemptId: v7(),
        paymentMethod: 'EWALLET',
        at,
      });
      await apply({ ...order, amountMinor: 1 });
      expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
      expect(await attemptsOf(order)).toEqual(['CANCELLED', 'PENDING']);
    });

    test.each<[string, () => PromiseLike<OrderToPlace>, string, string]>([
      ['paid', () => given(own.db).order().paid(), 'PAID PAID', 'DUPLICATE_PAYMENT PROCESSING'],
      [
        'cancelled',
        async () => {
          const order = await given(own.db).order();
          const noteId = await noteOf(own.db, order.userId, 'No.');
          await activities().cancelOrder({ orderId: order.orderId, noteId, at });
          return order;
        },
        'CANCELLED FAILED',
        'LATE_PAYMENT PROCESSING',
      ],
    ])('for an order that is %s it goes back too', async (_, make, state, refund) => {
      const order = await make();
      expect(await apply({ ...order, amountMinor: 1 })).toMatchObject({ outcome: 'RETURNED' });
      expect(await orderState(own.db, order)).toMatchObject({ order: state, refunds: [refund] });
    });

    test('at once with the right money for the same attempt: that pays, the other goes back', async () => {
      const counted = countingTries(own.db);
      await warmPool(counted.db);
      for (let round = 0; round < 5; round++) {
        const order = await given(own.db).order();
        const events = [
          await storedReport(own.db, 'PAID', { ...order, amountMinor: 1 }),
          await storedReport(own.db, 'PAID', order),
        ];
        const steps = orderSteps(counted.db);
        const applied = events.map(({ webhookEventId }) => steps.applyPaymentEvent({ webhookEventId, at }));
        expect((await Promise.all(applied)).map(({ outcome }) => outcome)).toEqual(['RETURNED', 'APPLIED']);
        expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
      }
      expect(counted.contended()).toBe(0);
    });

    test('an end of another amount is an end: no money moved', async () => {
      const order = await given(own.db).order();
      const { webhookEventId } = await storedReport(own.db, 'DECLINED', { ...order, amountMinor: 1 });
      expect(await activities().applyPaymentEvent({ webhookEventId, at })).toMatchObject({
        outcome: 'APPLIED',
      });
      expect(await orderState(own.db, order)).toMatchObject({ order: 'PENDING_PAYMENT FAILED', refunds: [] });
    });
  });

  describe('what contradicts money that is recorded waits for a person', () => {
    const refusedAs = async (reported: Parameters<typeof storedReport>[2], text: RegExp) =>
      expect(apply(reported)).rejects.toMatchObject({
        type: 'PoisonousEvent',
        nonRetryable: true,
        message: expect.stringMatching(text) as string,
      });

    test('the same payment in another amount', async () => {
      const order = await given(own.db).order();
      const paymentId = v7();
      await apply({ ...order, paymentId });
      await refusedAs({ ...order, paymentId, amountMinor: 1 }, /is recorded as 5000 USD.+reported as 1 USD/);
      expect(await capturesOf(order)).toHaveLength(1);
    });

    test('the same payment for another order', async () => {
      const [order, other] = [await given(own.db).order(), await given(own.db).order()];
      const paymentId = v7();
      await apply({ ...order, paymentId });
      await refusedAs({ ...other, paymentId }, /is recorded .+ for order .+reported .+ for order/);
      expect((await orderState(own.db, other)).order).toBe('PENDING_PAYMENT PENDING');
    });

    test('an amount that no answer could show', async () => {
      const order = await given(own.db).order();
      await refusedAs({ ...order, amountMinor: MAX_AMOUNT_MINOR + 1 }, /not of the agreed form/);
    });
  });
});
