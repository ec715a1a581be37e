import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { PaymentProvider } from '../../../../activities/providers/payments/port';
import { stripeProvider } from '../../../../activities/providers/payments/stripe/driver';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import { noteOf, NOTHING_HELD, orderState, orderSteps, TWO_SOLD } from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';

/** Orders with two attempts to pay, at the end of their window. */
const own = ownDatabase();
const at = new Date().toISOString();
const ended = new Date(Date.parse(at) + 40 * 60_000).toISOString();

let company: FakeStripe;
beforeAll(async () => {
  company = await FakeStripe.start();
});
afterAll(() => company.stop());
beforeEach(() => {
  company.failsFor = null;
});
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const stripe = (): PaymentProvider =>
  stripeProvider({
    secretKey: 'sk_test_1',
    apiBase: company.url,
    successUrl: 'https://shop.test/',
    cancelUrl: 'https://shop.test/',
  });

/** Two attempts at a company; the first was given up for the second. */
async function twoAttempts(provider?: PaymentProvider) {
  const steps = orderSteps(own.db, provider);
  const order = await given(own.db).order({ at, ...(provider && { provider }) });
  const { orderId, attemptId: first } = order;
  const second = v7();
  if (provider) await steps.openPage({ attemptId: first });
  await steps.openPayment({ orderId, attemptId: second, paymentMethod: 'EWALLET', at });
  if (provider) await steps.openPage({ attemptId: second });
  return { order, orderId, first, second, steps };
}

/** The company's webhook says that the attempt's page was closed unpaid, and its process applies it. */
async function applyExpiry(steps: ReturnType<typeof orderSteps>, attemptId: string): Promise<void> {
  const object = company.state.sessionOf(attemptId);
  const [id, type] = [v7(), 'checkout.session.expired'];
  const body = JSON.stringify({ type, data: { object } });
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const event = { provider: 'stripe', externalEventId: id, type, body, bodyHash, known: true };
  await storeWebhookEvent(own.db, { ...event, id, at: new Date() });
  expect(await steps.applyPaymentEvent({ webhookEventId: id, at: ended })).toMatchObject({
    outcome: 'APPLIED',
  });
}

const sessionOf = (attemptId: string): string => company.state.sessionOf(attemptId).id;
const methodOf = async (orderId: string): Promise<string | undefined> =>
  (
    await firstRow<{ method: string }>(own.db, 'SELECT payment_method AS method FROM orders WHERE id = $1', [
      orderId,
    ])
  )?.method;

describe('with Stripe', () => {
  test('money of the first attempt pays the order, although the page of the second expired unpaid', async () => {
    const { order, orderId, first, steps } = await twoAttempts(stripe());
    company.state.pay(sessionOf(first));
    for (let times = 0; times < 2; times++)
      expect(await lookForMoney(steps, { orderId, at: ended })).toEqual([]);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
    expect(await methodOf(orderId)).toBe('CARD');
  });

  test('all pages are closed before the first look-up, and money that comes while they close is found', async () => {
    const provider = stripe();
    const { order, orderId, first, second } = await twoAttempts(provider);
    const seen: string[] = [];
    const steps = orderSteps(own.db, {
      ...provider,
      closePayment(payment) {
        seen.push('close');
        if (payment.key === first) company.state.pay(sessionOf(first));
        return provider.closePayment(payment);
      },
      lookUpPayment(payment) {
        seen.push('ask');
        return provider.lookUpPayment(payment);
      },
    });
    await lookForMoney(steps, { orderId, at: ended });
    expect(seen).toEqual(['close', 'close', 'ask', 'ask']);
    expect(company.state.sessionOf(second).status).toBe('expired');
    expect((await orderState(own.db, order)).order).toBe('PAID PAID');
  });

  test('a failure between two attempts loses nothing: money pays, no other end is believed', async () => {
    const { order, orderId, first, second, steps } = await twoAttempts(stripe());
    company.failsFor = sessionOf(first);
    const ask = () => steps.lookUpPayments({ orderId, provider: 'stripe', at: ended });
    await expect(ask()).rejects.toThrow();
    expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');

    company.failsFor = sessionOf(second);
    company.state.sessionOf(first).status = 'open';
    company.state.pay(sessionOf(first));
    await expect(ask()).rejects.toThrow();
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
  });

  test('tried again after it paid the order, it asks all attempts: stray money is found and goes back', async () => {
    const { order, orderId, first, second, steps } = await twoAttempts(stripe());
    company.state.pay(sessionOf(first));
    company.state.pay(sessionOf(second));
    company.failsFor = sessionOf(second);
    await expect(steps.lookUpPayments({ orderId, provider: 'stripe', at: ended })).rejects.toThrow();
    company.failsFor = null;
    const due = await lookForMoney(steps, { orderId, at: ended });
    expect(due).toEqual([expect.objectContaining({ refundId: expect.any(String) as string, orderId })]);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
    });
  });

  test('two pages that expired unpaid: the order is cancelled', async () => {
    const { order, orderId, steps } = await twoAttempts(stripe());
    await lookForMoney(steps, { orderId, at: ended });
    expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('the expiry that our own closing makes Stripe report comes before the answers: money still pays', async () => {
    const provider = stripe();
    const { order, orderId, first, second } = await twoAttempts(provider);
    company.state.pay(sessionOf(first));
    const steps = orderSteps(own.db, {
      ...provider,
      async lookUpPayment(payment) {
        if (payment.key === second) {
          await applyExpiry(steps, second);
          expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
        }
        return provider.lookUpPayment(payment);
      },
    });
    expect(await lookForMoney(steps, { orderId, at: ended })).toEqual([]);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('a page that expires gives no order up of which an earlier page may hold money', async () => {
    const { order, orderId, first, second, steps } = await twoAttempts(stripe());
    company.state.pay(sessionOf(first));
    company.state.sessionOf(second).status = 'expired';
    await applyExpiry(steps, second);
    expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
    expect(await lookForMoney(steps, { orderId, at: ended })).toEqual([]);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('pages that expired, as their provider reported, leave the order to the end of its window', async () => {
    const { order, orderId, second, steps } = await twoAttempts(stripe());
    company.state.sessionOf(second).status = 'expired';
    await applyExpiry(steps, second);
    await lookForMoney(steps, { orderId, at: ended });
    expect((await steps.expireOrder({ orderId, at: ended })).status).toBe('CANCELLED');
    expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('money for an order that was cancelled meanwhile is recorded and goes back', async () => {
    const { order, orderId, first, steps } = await twoAttempts(stripe());
    company.state.pay(sessionOf(first));
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await steps.cancelOrder({ orderId, noteId, at });
    expect(await lookForMoney(steps, { orderId, at: ended })).toHaveLength(1);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'CANCELLED FAILED',
      refunds: ['LATE_PAYMENT PROCESSING'],
    });
  });
});
