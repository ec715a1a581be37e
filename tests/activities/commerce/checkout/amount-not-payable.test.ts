import { v7 } from 'uuid';
import { bankProvider } from '../../../../activities/providers/payments/bank/driver';
import { ProviderRefusal, type PaymentProvider } from '../../../../activities/providers/payments/port';
import { stripeAmounts } from '../../../../activities/providers/payments/stripe/amounts';
import { firstRow, rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { given } from '../../../support/builders/given';
import { orderState, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

/** Amounts that the provider certainly refuses, so that nobody could pay what is placed. */
const own = ownDatabase();
const at = new Date().toISOString();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const taking = (leastMinor: number, mostMinor: number): PaymentProvider => ({
  ...bankProvider(),
  code: 'narrow',
  opensWithinMs: 60_000,
  amounts: () => ({ leastMinor, mostMinor }),
});

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => refusalIn(error),
  );

const ordersOf = async (userId: string): Promise<unknown> =>
  firstRow(
    own.db,
    `SELECT (SELECT count(*)::int FROM orders WHERE user_id = $1) AS orders,
       (SELECT count(*)::int FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1) AS lines`,
    [userId],
  );

test.each([
  ['too small', taking(PRICE_MINOR + 1, 10 * PRICE_MINOR)],
  ['too large', taking(1, PRICE_MINOR - 1)],
])('%s: the order is not placed, the cart stays, and the method is named', async (_, provider) => {
  const order = await given(own.db).cart();
  const steps = orderSteps(own.db, provider);
  const before = await ordersOf(order.userId);
  expect(await refusalOf(steps.placeOrder({ ...order, ...order.input, at }))).toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: 'AMOUNT_NOT_PAYABLE',
    message: expect.stringMatching(/^CARD takes from .+ to .+ USD\.$/),
    details: { paymentMethod: [expect.stringMatching(/^takes from /)] },
  });
  expect(await ordersOf(order.userId)).toEqual(before);
});

test('the least and the largest amount are taken, and a bank transfer takes any', async () => {
  for (const provider of [taking(PRICE_MINOR, 10 * PRICE_MINOR), taking(1, PRICE_MINOR)]) {
    const order = await given(own.db).cart();
    await orderSteps(own.db, provider).placeOrder({ ...order, ...order.input, at });
    expect(await ordersOf(order.userId)).toMatchObject({ orders: 1 });
  }
  const order = await given(own.db).cart({ method: 'BANK_TRANSFER' });
  const steps = orderSteps(own.db, taking(PRICE_MINOR + 1, 10 * PRICE_MINOR));
  await steps.placeOrder({ ...order, ...order.input, at });
  expect(await ordersOf(order.userId)).toMatchObject({ orders: 1 });
});

test('a further attempt of an order is refused in the same way', async () => {
  const order = await given(own.db).cart({ method: 'BANK_TRANSFER' });
  const steps = orderSteps(own.db, taking(PRICE_MINOR + 1, 10 * PRICE_MINOR));
  await steps.placeOrder({ ...order, ...order.input, at });
  const { orderId } = order;
  const again = { orderId, attemptId: v7(), paymentMethod: 'CARD' as const, at };
  expect(await refusalOf(steps.openPayment(again))).toMatchObject({ reason: 'AMOUNT_NOT_PAYABLE' });
});

test('a page that is certainly refused ends its attempt, and the next request opens another', async () => {
  const order = await given(own.db).cart();
  const refusing: PaymentProvider = {
    ...taking(1, 10 * PRICE_MINOR),
    openPayment: () => Promise.reject(new ProviderRefusal('The currency is not taken.')),
  };
  const steps = orderSteps(own.db, refusing);
  await steps.placeOrder({ ...order, ...order.input, at });
  const { orderId, attemptId } = order;
  // Also where the answer of the first try was lost.
  for (let times = 0; times < 2; times++)
    await expect(steps.openPage({ attemptId })).rejects.toMatchObject({ type: 'PageRefused' });
  expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
  const next = { orderId, attemptId: v7(), paymentMethod: 'CARD' as const, at };
  expect((await steps.openPayment(next)).payment.pageToOpen).toMatchObject({ attemptId: next.attemptId });
  const attempts = await rows<{ status: string }>(
    own.db,
    'SELECT status FROM payment_attempts WHERE order_id = $1 ORDER BY sequence',
    [orderId],
  );
  expect(attempts.map(({ status }) => status)).toEqual(['DECLINED', 'PENDING']);
});

test('Stripe takes half a dollar, and amounts of eight digits, of Indonesian rupiah twelve', () => {
  expect(stripeAmounts('USD')).toEqual({ leastMinor: 50, mostMinor: 99_999_999 });
  expect(stripeAmounts('JPY')).toEqual({ leastMinor: 50, mostMinor: 99_999_999 });
  expect(stripeAmounts('XAF')).toEqual({ leastMinor: 1, mostMinor: 99_999_999 });
  expect(stripeAmounts('IDR')).toEqual({ leastMinor: 1, mostMinor: 999_999_999_999 });
});
