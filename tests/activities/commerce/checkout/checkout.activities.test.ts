import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  NOTHING_HELD,
  orderStep,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
  orderCommand,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
const at = new Date().toISOString();
const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Runs a step twice, as after a crash before its answer arrived: both answers are the same. */
async function twice<Answer>(step: () => Promise<Answer>): Promise<Answer> {
  const first = await step();
  expect(await step()).toEqual(first);
  return first;
}

const historyOf = async ({ orderId }: OrderCommand): Promise<string[]> =>
  (
    await rows<{ status: string }>(
      own.db,
      `SELECT status FROM order_status_changes WHERE order_id = $1 ORDER BY changed_at, id`,
      [orderId],
    )
  ).map(({ status }) => status);
const attemptsOf = async ({ orderId }: OrderCommand): Promise<string[]> =>
  (
    await rows<{ attempt: string }>(
      own.db,
      `SELECT method || ' ' || status AS attempt FROM payment_attempts WHERE order_id = $1 ORDER BY sequence`,
      [orderId],
    )
  ).map(({ attempt }) => attempt);
const mailsOf = async ({ orderId }: OrderCommand): Promise<number> =>
  (await rows(own.db, `SELECT 1 FROM outbox_messages WHERE reference = $1`, [`order:${orderId}:paid`]))
    .length;

describe('placeOrder, twice', () => {
  test('takes stock and coupon once, and opens one payment', async () => {
    const order = await orderCommand(own.db);
    const placed = await twice(() => steps().placeOrder({ ...order, ...order.command, at }));
    expect(placed).toMatchObject({
      standing: { status: 'PENDING_PAYMENT', payBy: later(30), wasPaid: false },
      payment: {
        method: 'CARD',
        amountMinor: PRICE_MINOR,
        paymentUrl: expect.stringContaining(order.attemptId),
      },
      summaryMinor: { subtotal: 5_000, discount: 500, shipping: 500, tax: 0, total: PRICE_MINOR },
    });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      ...TWO_RESERVED,
    });
    expect(await historyOf(order)).toEqual(['PENDING_PAYMENT']);
    expect(await attemptsOf(order)).toEqual(['CARD PENDING']);
  });

  test('from the balance: takes the money once and sells the goods once', async () => {
    const order = await orderCommand(own.db, { method: 'BALANCE', walletMinor: 6_000 });
    const placed = await twice(() => steps().placeOrder({ ...order, ...order.command, at }));
    expect(placed.standing.status).toBe('PAID');
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      walletMinor: 1_000,
      ...TWO_SOLD,
    });
    expect(await mailsOf(order)).toBe(1);
  });

  test('from a balance that is too small: refused, and nothing is taken', async () => {
    const order = await orderCommand(own.db, { method: 'BALANCE', walletMinor: PRICE_MINOR - 1 });
    for (const time of [at, later(1)])
      await expect(steps().placeOrder({ ...order, ...order.command, at: time })).rejects.toMatchObject({
        type: 'INSUFFICIENT_BALANCE',
      });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: null,
      walletMinor: PRICE_MINOR - 1,
      ...NOTHING_HELD,
    });
  });
});

describe('openPayment, twice', () => {
  test('opens one new attempt and ends the old one', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'EWALLET' as const,
      at: later(20),
    };
    const offered = await twice(() => steps().openPayment(command));
    expect(offered).toMatchObject({ standing: { payBy: later(50) }, payment: { method: 'EWALLET' } });
    expect(await attemptsOf(order)).toEqual(['CARD CANCELLED', 'EWALLET PENDING']);
  });

  test('pays from the balance once', async () => {
    const order = await placedOrder(own.db, { walletMinor: 7_000 }, { at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'BALANCE' as const,
      at: later(1),
    };
    expect((await twice(() => steps().openPayment(command))).standing.status).toBe('PAID');
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', walletMinor: 2_000 });
  });

  test('a balance that is too small leaves the attempt before as it was', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const command = {
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'BALANCE' as const,
      at: later(1),
    };
    await expect(steps().openPayment(command)).rejects.toMatchObject({ type: 'INSUFFICIENT_BALANCE' });
    expect(await attemptsOf(order)).toEqual(['CARD PENDING']);
  });
});

describe('expireOrder, twice', () => {
  test('returns stock and coupon once', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const early = await steps().expireOrder({ orderId: order.orderId, at: later(29) });
    expect(early.status).toBe('PENDING_PAYMENT');
    const expired = await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(30) }));
    expect(expired.status).toBe('CANCELLED');
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
    expect(await attemptsOf(order)).toEqual(['CARD EXPIRED']);
  });

  test('returns the partner balance that was held for it, once', async () => {
    const partnerMinor = 1_200;
    const order = await placedOrder(own.db, { partnerMinor }, { at });
    const balance = async (): Promise<unknown> =>
      firstRow(
        own.db,
        `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_available'`,
        [order.userId],
      );
    expect(await balance()).toEqual({ minor: 0 });
    await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(30) }));
    expect(await balance()).toEqual({ minor: partnerMinor });
  });

  test('does not change an order that was paid at the last moment', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const { webhookEventId } = await storedReport(own.db, 'PAID', order);
    await steps().applyPaymentEvent({ webhookEventId, at: later(30) });
    const standing = await twice(() => steps().expireOrder({ orderId: order.orderId, at: later(31) }));
    expect(standing.status).toBe('PAID');
  });
});
