import { policyFrom } from '../../../../db/policy/config';
import { v7 } from 'uuid';
import { checkoutActivities } from '../../../../activities/commerce/checkout/checkout.activities';
import { paymentLookupActivities } from '../../../../activities/commerce/payment/payment-lookup.activities';
import { paymentPageActivities } from '../../../../activities/commerce/payment/payment-page.activities';
import { stripeProvider } from '../../../../activities/providers/payments/stripe/stripe';
import { execute, firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { asActivity } from '../../../support/servers/run-activity';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import {
  orderStep,
  PRICE_MINOR,
  TWO_SOLD,
  orderCommand,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
let bank: FakeStripe;
beforeAll(async () => {
  bank = await FakeStripe.start();
});
afterAll(() => bank.stop());
beforeEach(() => {
  bank.mood = 'answers';
});
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

function steps() {
  const stripe = stripeProvider({
    secretKey: 'sk_test_1',
    apiBase: bank.url,
    successUrl: 'https://shop.test/',
    cancelUrl: 'https://shop.test/',
  });
  const payments = {
    providers: new Map([['stripe', stripe]]),
    current: 'stripe',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
  };
  const parts = { db: own.db, payments, policy: policyFrom({}) };
  return {
    ...checkoutActivities(parts),
    ...paymentPageActivities(parts),
    lookUpPayments: asActivity(paymentLookupActivities(parts).lookUpPayments),
  };
}

const place = async (options?: Parameters<typeof orderCommand>[1]) => {
  const order = await orderCommand(own.db, options);
  const command = { ...order, ...order.command, at: new Date().toISOString() };
  return { order, command, placed: await steps().placeOrder(command) };
};
const attemptRow = ({ attemptId }: OrderCommand) =>
  firstRow<{ url: string | null; reference: string | null }>(
    own.db,
    `SELECT payment_url AS url, provider_reference AS reference FROM payment_attempts WHERE id = $1`,
    [attemptId],
  );

describe('placing an order', () => {
  test('asks Stripe for nothing: it names the page that has to be opened', async () => {
    bank.mood = 'is silent';
    const { order, placed } = await place();
    expect(placed.payment).toMatchObject({
      paymentUrl: null,
      pageToOpen: { attemptId: order.attemptId, provider: 'stripe' },
    });
  });

  test('again, after the page was opened, answers it', async () => {
    const { order, command } = await place();
    const { paymentUrl } = await steps().openPage(order);
    const { payment } = await steps().placeOrder(command);
    expect(payment.paymentUrl).toBe(paymentUrl);
    expect(payment).not.toHaveProperty('pageToOpen');
  });

  test.each(['BANK_TRANSFER', 'BALANCE'] as const)('by %s has no page', async (method) => {
    const { placed } = await place({ method, walletMinor: PRICE_MINOR });
    expect(placed.payment).not.toHaveProperty('pageToOpen');
  });
});

describe('openPage, twice', () => {
  test('opens one page and remembers it with Stripe’s name', async () => {
    const { order } = await place({ method: 'EWALLET' });
    const first = await steps().openPage(order);
    expect(await steps().openPage(order)).toEqual(first);
    const session = bank.state.sessionOf(order.attemptId);
    expect(first).toEqual({ paymentUrl: session.url });
    expect(await attemptRow(order)).toEqual({ url: session.url, reference: session.id });
  });

  test('after an answer that was lost finds the page that was opened', async () => {
    const { order } = await place();
    bank.mood = 'loses the answer';
    await expect(steps().openPage(order)).rejects.toThrow();
    bank.mood = 'answers';
    expect(await steps().openPage(order)).toEqual({
      paymentUrl: bank.state.sessionOf(order.attemptId).url,
    });
  });

  test('at once from two workers is one page', async () => {
    const { order } = await place();
    const pages = await Promise.all([1, 2, 3].map(() => steps().openPage(order)));
    expect(new Set(pages.map(({ paymentUrl }) => paymentUrl)).size).toBe(1);
    expect(bank.state.sessionOf(order.attemptId).url).toBe(pages[0]!.paymentUrl);
  });

  test('is refused for good when Stripe refuses, and nothing is remembered', async () => {
    const { order } = await place();
    const past = new Date(Date.now() - 20 * 60_000);
    await execute(own.db, 'UPDATE payment_attempts SET created_at = $2, expires_at = $2 WHERE id = $1', [
      order.attemptId,
      past,
    ]);
    await expect(steps().openPage(order)).rejects.toMatchObject({ type: 'PageRefused', nonRetryable: true });
    expect(await attemptRow(order)).toEqual({ url: null, reference: null });
  });

  test('opens nothing for an attempt that was given up, and knows no other', async () => {
    const { order } = await place();
    const at = new Date().toISOString();
    await steps().openPayment({
      orderId: order.orderId,
      attemptId: v7(),
      paymentMethod: 'BANK_TRANSFER',
      at,
    });
    expect(await steps().openPage(order)).toEqual({ paymentUrl: null });
    await expect(steps().openPage({ attemptId: v7() })).rejects.toThrow('There is no attempt');
  });
});

describe('at the end of the window', () => {
  const ended = new Date(Date.now() + 31 * 60_000).toISOString();

  test('an unpaid page is closed, and then its order is cancelled', async () => {
    const { order } = await place();
    await steps().openPage(order);
    for (let times = 0; times < 2; times++)
      expect(await lookForMoney(steps(), { orderId: order.orderId, at: ended })).toEqual([]);
    expect(bank.state.sessionOf(order.attemptId).status).toBe('expired');
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED FAILED');
  });

  test('money that Stripe has and did not report pays the order', async () => {
    const { order } = await place();
    await steps().openPage(order);
    bank.state.pay(bank.state.sessionOf(order.attemptId).id);
    for (let times = 0; times < 2; times++)
      await lookForMoney(steps(), { orderId: order.orderId, at: ended });
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('a page is left open while its time runs', async () => {
    const { order } = await place();
    await steps().openPage(order);
    await lookForMoney(steps(), { orderId: order.orderId, at: new Date().toISOString() });
    expect(bank.state.sessionOf(order.attemptId).status).toBe('open');
  });

  test('an attempt whose page was never learned of is looked for by our key', async () => {
    const { order } = await place();
    expect(await lookForMoney(steps(), { orderId: order.orderId, at: ended })).toEqual([]);
    expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
  });
});
