import { v7 } from 'uuid';
import type { PaymentProvider } from '../../../../../activities/providers/payments/port';
import { stripeProvider } from '../../../../../activities/providers/payments/stripe/stripe';
import { connectStripe } from '../../../../../activities/providers/payments/stripe/client';
import { startStripeMock, type StripeMock } from '../../../../support/servers/stripe-mock';

/** Held against Stripe's own description of its API, which refuses what it does not know. */
let mock: StripeMock;
let stripe: PaymentProvider;

beforeAll(async () => {
  mock = await startStripeMock();
  stripe = stripeProvider({
    secretKey: 'sk_test_1',
    apiBase: mock.url,
    successUrl: 'https://shop.test/paid',
    cancelUrl: 'https://shop.test/back',
  });
});
afterAll(() => mock.stop());

const paymentToOpen = (change: object = {}) => ({
  key: v7(),
  method: 'CARD' as const,
  amountMinor: 4_999,
  currency: 'USD',
  openedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(),
  description: 'M-1001',
  ...change,
});

test('it refuses what Stripe would not understand, so these tests can fail', async () => {
  const client = await connectStripe({ secretKey: 'sk_test_1', apiBase: mock.url });
  const nonsense: object = { mode: 'payment', success_url: 'https://shop.test/', colour: 'blue' };
  await expect(client.checkout.sessions.create(nonsense)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  });
});

test.each(['CARD', 'EWALLET'] as const)('a page for %s is opened as Stripe wants it', async (method) => {
  const opened = await stripe.openPayment(paymentToOpen({ method }));
  expect(opened).toEqual({
    paymentUrl: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
    reference: expect.stringMatching(/^cs_test_/),
  });
});

test('a currency that does not exist is Stripe’s refusal', async () => {
  await expect(stripe.openPayment(paymentToOpen({ amountMinor: -1.5 }))).rejects.toMatchObject({
    name: 'ProviderRefusal',
  });
});

test('pages are closed and looked up, by Stripe’s name and by our key, as Stripe wants it', async () => {
  const payment = { key: v7(), reference: 'cs_test_1' };
  await stripe.closePayment(payment);
  expect(await stripe.lookUpPayment(payment)).toEqual([]);
  expect(await stripe.lookUpPayment({ ...payment, reference: null })).toEqual([]);
});

test('refunds are made and looked up as Stripe wants it', async () => {
  const order = { key: v7(), paymentId: 'pi_1', amountMinor: 100, currency: 'USD' };
  expect(await stripe.refund(order)).toEqual({
    status: 'completed',
    refundId: expect.stringMatching(/^re_/),
    amountMinor: 100,
  });
  expect(await stripe.lookUpRefund(order)).toBeNull(); // Its examples carry no key of ours.
});
