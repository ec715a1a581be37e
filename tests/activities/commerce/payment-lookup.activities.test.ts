import { enterSandboxPayments } from '../../../db/commerce/sandbox.writes';
import type { PaymentOutcome } from '../../../workflows/commerce/payment-report.rules';
import { brokenBooks } from '../../support/books';
import { ownDatabase } from '../../support/database';
import { lookForMoney } from '../../support/look-for-money';
import {
  NOTHING_HELD,
  orderBook,
  orderBooks,
  placedOrder,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../support/ordering';

const own = ownDatabase();
/** When the window of an order of these has passed. */
const at = new Date(Date.now() + 31 * 60_000).toISOString();

afterEach(async () => {
  expect(await brokenBooks(own.db)).toEqual([]);
});

/** The provider has this in its books, and never reported it. */
async function unreported(key: string, outcomes: PaymentOutcome[], amountMinor = PRICE_MINOR): Promise<void> {
  const payment = { key, amountMinor, currency: 'USD', at: new Date() };
  await enterSandboxPayments(own.db, payment, () => outcomes.map((status) => ({ status, delayMs: 0 })));
}

const lookUp = (orderId: string) => lookForMoney(orderBooks(own.db), { orderId, at });

describe('lookUpPayments, twice', () => {
  test('nothing is known: nothing changes', async () => {
    const order = await placedOrder(own.db);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect((await orderBook(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
  });

  test('money is found: the order is paid, once', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['DECLINED', 'PAID']);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect(await orderBook(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('money is found twice: one refund is due, and is named again when the first answer was lost', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['PAID', 'PAID']);
    const due = await lookUp(order.orderId);
    expect(due).toEqual([{ refundId: expect.any(String), orderId: order.orderId }]);
    expect(await lookUp(order.orderId)).toEqual(due);
    expect(await orderBook(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
    });
  });

  test('a card was declined, and nobody heard: the order still waits, and says that it failed', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['DECLINED']);
    for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
    expect((await orderBook(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
  });

  test('the payment expired at the provider: the order is given up', async () => {
    const order = await placedOrder(own.db);
    await unreported(order.attemptId, ['EXPIRED']);
    for (let times = 0; times < 2; times++) await lookUp(order.orderId);
    expect(await orderBook(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });
});

test('a transfer is looked for at no provider', async () => {
  const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' });
  await unreported(order.attemptId, ['PAID']);
  expect(await lookUp(order.orderId)).toEqual([]);
  expect((await orderBook(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
});
