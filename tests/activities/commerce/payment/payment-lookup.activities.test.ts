import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { rows } from '../../../../db/sql/query';
import type { PaymentOutcome } from '../../../../workflows/commerce/payment/payment-report.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import {
  NOTHING_HELD,
  orderStep,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  TWO_SOLD,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
/** When the window of an order of these has passed. */
const at = new Date(Date.now() + 31 * 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** The provider has recorded this, and never reported it. */
async function unreported(
  key: string,
  outcomes: PaymentOutcome[],
  { amountMinor, currency } = { amountMinor: PRICE_MINOR, currency: 'USD' },
): Promise<void> {
  const payment = { key, amountMinor, currency, at: new Date() };
  await enterSandboxPayments(own.db, payment, () => outcomes.map((status) => ({ status, delayMs: 0 })));
}

const lookUp = (orderId: string) => lookForMoney(orderSteps(own.db), { orderId, at });

describe('lookUpPayments, twice', () => {
  test('nothing is known: nothing changes', async () => {
    const order = await placedOrder(own.db);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
  });

  test('money is found: the order is paid, once', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['DECLINED', 'PAID']);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('money is found twice: one refund is due, and is named again when the first answer was lost', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['PAID', 'PAID']);
    const due = await lookUp(order.orderId);
    expect(due).toEqual([{ refundId: expect.any(String), orderId: order.orderId }]);
    expect(await lookUp(order.orderId)).toEqual(due);
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
    });
  });

  test('a card was declined without a report: the order still waits, and shows that the payment failed', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['DECLINED']);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
  });

  test('the payment expired at the provider: the order is cancelled', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['EXPIRED']);
    for (let times = 0; times < 2; times++) await lookUp(order.orderId);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });
});

test('a transfer is looked for at no provider', async () => {
  const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' });
  await unreported(order.attemptId, ['PAID']);
  expect(await lookUp(order.orderId)).toEqual([]);
  expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
});

describe('money of another amount or currency', () => {
  const captured = { currency: 'USD', applied: false };
  const capturesOf = (orderId: string) =>
    rows(own.db, 'SELECT amount_minor, currency, applied FROM payment_captures WHERE order_id = $1', [
      orderId,
    ]);
  const isGivenUp = async (order: OrderCommand): Promise<void> => {
    await orderSteps(own.db).expireOrder({ orderId: order.orderId, at });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'CANCELLED FAILED',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...NOTHING_HELD,
    });
  };

  test.each([
    ['a cent less', { amountMinor: PRICE_MINOR - 1, currency: 'USD' }],
    ['a cent more', { amountMinor: PRICE_MINOR + 1, currency: 'USD' }],
    ['another currency', { amountMinor: PRICE_MINOR, currency: 'EUR' }],
  ])('%s: it goes back, and does not hold up the end of the order', async (_, money) => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['PAID'], money);
    const due = await lookUp(order.orderId);
    expect(due).toEqual([{ refundId: expect.any(String) as string, orderId: order.orderId }]);
    expect(await lookUp(order.orderId)).toEqual(due);
    expect(await capturesOf(order.orderId)).toEqual([{ ...captured, ...money }]);
    await isGivenUp(order);
  });

  test('in addition to the right amount of another attempt: the order is paid', async () => {
    const order = await placedOrder(own.db);
    const { orderId } = order;
    const attemptId = v7();
    const soon = new Date(Date.now() + 60_000).toISOString();
    await orderSteps(own.db).openPayment({ orderId, attemptId, paymentMethod: 'EWALLET', at: soon });
    await unreported(order.attemptId, ['PAID'], { amountMinor: 1, currency: 'USD' });
    await unreported(attemptId, ['PAID']);
    expect(await lookUp(orderId)).toHaveLength(1);
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_SOLD,
    });
  });

  test('what contradicts a payment that is recorded holds up nothing', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['PAID'], { amountMinor: 1, currency: 'USD' });
    const which = 'SELECT id FROM sandbox_payments WHERE payment_key = $1';
    const [payment] = await rows<{ id: string }>(own.db, which, [order.attemptId]);
    const reported = { ...order, paymentId: payment!.id, amountMinor: 2 };
    const { webhookEventId } = await storedReport(own.db, 'PAID', reported);
    await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: order.at });
    expect(await lookUp(order.orderId)).toHaveLength(1);
    expect(await capturesOf(order.orderId)).toEqual([{ ...captured, amountMinor: 2 }]);
    await isGivenUp(order);
  });
});
