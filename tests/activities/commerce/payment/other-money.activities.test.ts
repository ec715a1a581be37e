import { v7 } from 'uuid';
import { MAX_AMOUNT_MINOR } from '../../../../workflows/commerce/money.rules';
import { rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
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
import { countingTries, warmPool } from '../../../support/servers/tries';

/** Reports of money in another amount or currency than its attempt asks for; the last look: payment-lookup. */
const own = ownDatabase();
/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 60_000).toISOString();
const activities = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

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

const capturesOf = ({ orderId }: OrderCommand) =>
  rows(
    own.db,
    `SELECT amount_minor, currency, applied FROM payment_captures WHERE order_id = $1 ORDER BY id`,
    [orderId],
  );
const attemptsOf = async ({ orderId }: OrderCommand): Promise<string[]> =>
  (
    await rows<{ status: string }>(
      own.db,
      'SELECT status FROM payment_attempts WHERE order_id = $1 ORDER BY sequence',
      [orderId],
    )
  ).map(({ status }) => status);

describe('reported by webhook', () => {
  test.each(OTHER)('%s: it is booked and goes back, and the order waits on', async (_, money) => {
    const order = await placedOrder(own.db);
    const { webhookEventId } = await storedReport(own.db, 'PAID', { ...order, ...money });
    const first = await activities().applyPaymentEvent({ webhookEventId, at });
    expect(first).toMatchObject({ outcome: 'RETURNED', refundsDue: [{ orderId: order.orderId }] });
    expect(await activities().applyPaymentEvent({ webhookEventId, at })).toEqual({
      ...first,
      outcome: 'WITHOUT_EFFECT',
    });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_RESERVED,
    });
    expect(await capturesOf(order)).toEqual([{ ...money, applied: false }]);
    expect(await attemptsOf(order)).toEqual(['DECLINED']);
  });

  test('the buyer gets a new page for the same method, and the right money pays the order', async () => {
    const order = await placedOrder(own.db);
    await apply({ ...order, amountMinor: 1 });
    const attemptId = v7();
    await activities().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at });
    expect(await attemptsOf(order)).toEqual(['DECLINED', 'PENDING']);
    expect(await apply({ attemptId })).toMatchObject({ outcome: 'APPLIED' });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_SOLD,
    });
  });

  test('money for an earlier attempt leaves the newest one open', async () => {
    const order = await placedOrder(own.db);
    await activities().openPayment({ orderId: order.orderId, attemptId: v7(), paymentMethod: 'EWALLET', at });
    await apply({ ...order, amountMinor: 1 });
    expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
    expect(await attemptsOf(order)).toEqual(['CANCELLED', 'PENDING']);
  });

  test.each<[string, () => Promise<OrderCommand>, string, string]>([
    ['paid', () => paidOrder(own.db), 'PAID PAID', 'DUPLICATE_PAYMENT PROCESSING'],
    [
      'cancelled',
      async () => {
        const order = await placedOrder(own.db);
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
    expect(await orderStep(own.db, order)).toMatchObject({ order: state, refunds: [refund] });
  });

  test('at once with the right money for the same attempt: that pays, the other goes back', async () => {
    const counted = countingTries(own.db);
    await warmPool(counted.db);
    for (let round = 0; round < 5; round++) {
      const order = await placedOrder(own.db);
      const events = [
        await storedReport(own.db, 'PAID', { ...order, amountMinor: 1 }),
        await storedReport(own.db, 'PAID', order),
      ];
      const steps = orderSteps(counted.db);
      const applied = events.map(({ webhookEventId }) => steps.applyPaymentEvent({ webhookEventId, at }));
      expect((await Promise.all(applied)).map(({ outcome }) => outcome)).toEqual(['RETURNED', 'APPLIED']);
      expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
    }
    expect(counted.contended()).toBe(0);
  });

  test('an end of another amount is an end: no money moved', async () => {
    const order = await placedOrder(own.db);
    const { webhookEventId } = await storedReport(own.db, 'DECLINED', { ...order, amountMinor: 1 });
    expect(await activities().applyPaymentEvent({ webhookEventId, at })).toMatchObject({
      outcome: 'APPLIED',
    });
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PENDING_PAYMENT FAILED', refunds: [] });
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
    const order = await placedOrder(own.db);
    const paymentId = v7();
    await apply({ ...order, paymentId });
    await refusedAs({ ...order, paymentId, amountMinor: 1 }, /is recorded as 5000 USD.+reported as 1 USD/);
    expect(await capturesOf(order)).toHaveLength(1);
  });

  test('the same payment for another order', async () => {
    const [order, other] = [await placedOrder(own.db), await placedOrder(own.db)];
    const paymentId = v7();
    await apply({ ...order, paymentId });
    await refusedAs({ ...other, paymentId }, /is recorded .+ for order .+reported .+ for order/);
    expect((await orderStep(own.db, other)).order).toBe('PENDING_PAYMENT PENDING');
  });

  test('an amount that no answer could show', async () => {
    const order = await placedOrder(own.db);
    await refusedAs({ ...order, amountMinor: MAX_AMOUNT_MINOR + 1 }, /not of the agreed form/);
  });
});
