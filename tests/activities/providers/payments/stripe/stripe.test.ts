import { v7 } from 'uuid';
import { type PaymentProvider, ProviderRefusal } from '../../../../../activities/providers/payments/port';
import { connectStripe } from '../../../../../activities/providers/payments/stripe/client';
import { stripeProvider } from '../../../../../activities/providers/payments/stripe/driver';
import { LOOK_UP_TIMES } from '../../../../../workflows/kit/limits/provider-times';
import { FakeStripe, type StripeMood } from '../../../../support/fakes/fake-stripe';
import { startStripeMock, type StripeMock } from '../../../../support/servers/stripe-mock';

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

describe('Stripe', () => {
  let bank: FakeStripe;
  let silentBank: FakeStripe;
  let stripe: PaymentProvider;
  /** Calls that a silent Stripe leaves unanswered: begun first and looked at last, since giving up takes long. */
  let unanswered: ReturnType<typeof callsUnanswered>;

  const providerAt = (apiBase: string) => stripeProvider({ ...pages, apiBase, secretKey: 'sk_test_1' });
  const pages = { successUrl: 'https://shop.test/', cancelUrl: 'https://shop.test/' };
  beforeAll(async () => {
    [bank, silentBank] = [await FakeStripe.start(), await FakeStripe.start()];
    stripe = providerAt(bank.url);
    unanswered = callsUnanswered();
  });
  afterAll(async () => {
    await Promise.all([bank.stop(), silentBank.stop(), unanswered]);
  });

  async function callsUnanswered() {
    const asked = providerAt(silentBank.url);
    const payment = { key: v7(), ...(await asked.openPayment(paymentToOpen())) };
    silentBank.mood = 'is silent';
    const began = Date.now();
    const calls = await Promise.allSettled([asked.closePayment(payment), asked.lookUpPayment(payment)]);
    return { calls, afterMs: Date.now() - began };
  }
  beforeEach(() => {
    bank.mood = 'answers';
    bank.state.refundsAre = 'succeeded';
    bank.requests.length = 0;
  });

  /** A payment that was made on its page. */
  async function paid() {
    const { key } = paymentToOpen();
    const { reference } = await stripe.openPayment(paymentToOpen({ key }));
    return { key, reference, paymentId: bank.state.pay(reference!) };
  }

  const silent: StripeMood[] = [
    ...([
      'loses the answer',
      'fails',
      'is busy',
      'knows no key',
      'is at it already',
      'talks nonsense',
    ] as const),
  ];

  describe('opening', () => {
    test('answers the page and Stripe’s name for it; opened again, the same', async () => {
      const payment = paymentToOpen();
      const opened = await stripe.openPayment(payment);
      const session = bank.state.sessionOf(payment.key);
      expect(opened).toEqual({ paymentUrl: session.url, reference: session.id });
      expect(session).toMatchObject({ amount_total: 4_999, currency: 'usd' });
      expect(await stripe.openPayment(payment)).toEqual(opened);
      expect(bank.state.sessionOf(payment.key)).toBe(session); // One only.
    });

    test('a lost answer is thrown, and asking again finds the same page', async () => {
      const payment = paymentToOpen();
      bank.mood = 'loses the answer';
      await expect(stripe.openPayment(payment)).rejects.not.toBeInstanceOf(ProviderRefusal);
      bank.mood = 'answers';
      const { reference } = await stripe.openPayment(payment);
      expect(bank.state.sessionOf(payment.key).id).toBe(reference);
    });

    test('what Stripe will not do is a refusal', async () => {
      await expect(stripe.openPayment(paymentToOpen({ amountMinor: 49 }))).rejects.toThrow(ProviderRefusal);
      const late = paymentToOpen({
        openedAt: new Date(Date.now() - 10 * 60_000).toISOString(),
        expiresAt: '2026-01-01',
      });
      await expect(stripe.openPayment(late)).rejects.toThrow('expires_at must be between');
    });

    test('a key that another request has used is thrown: that one may have opened the page', async () => {
      const payment = paymentToOpen();
      await stripe.openPayment(payment);
      const changed = stripe.openPayment({ ...payment, amountMinor: 5_000 });
      await expect(changed).rejects.toThrow('same parameters');
      await expect(changed).rejects.not.toBeInstanceOf(ProviderRefusal);
    });

    test('a Stripe that does not answer is given up within seconds', async () => {
      bank.mood = 'is silent';
      const payment = paymentToOpen();
      let isAskedStill = true;
      const lookUp = stripe
        .lookUpPayment({ key: v7(), reference: null })
        .finally(() => (isAskedStill = false));
      await expect(stripe.openPayment(payment)).rejects.not.toBeInstanceOf(ProviderRefusal);
      expect(isAskedStill).toBe(true);
      await expect(lookUp).rejects.toThrow();
      expect(bank.requests).toHaveLength(2); // The library repeats nothing by itself.
    });

    test.each(silent)('a Stripe that %s may have opened it: thrown, not refused', async (mood) => {
      bank.mood = mood;
      await expect(stripe.openPayment(paymentToOpen())).rejects.not.toBeInstanceOf(ProviderRefusal);
    });
  });

  describe('refunds', () => {
    const order = (paymentId: string, amountMinor = 1_000) => ({
      key: `${v7()}:1`,
      paymentId,
      amountMinor,
      currency: 'USD',
    });
    const sent = (paymentId: string): number =>
      bank.state.refunds.filter((refund) => refund.payment_intent === paymentId).length;

    test('one key is one refund, and is found by it', async () => {
      const { paymentId } = await paid();
      const wanted = order(paymentId);
      expect(await stripe.lookUpRefund(wanted)).toBeNull();
      const outcome = await stripe.refund(wanted);
      expect(outcome).toEqual({
        status: 'completed',
        refundId: bank.state.refunds.at(-1)!.id,
        amountMinor: 1_000,
      });
      expect(await stripe.refund(wanted)).toEqual(outcome);
      expect(await stripe.lookUpRefund(wanted)).toEqual(outcome);
      expect(sent(paymentId)).toBe(1);
    });

    test('an answer that was lost after the money went is thrown, then found', async () => {
      const { paymentId } = await paid();
      const wanted = order(paymentId);
      bank.mood = 'loses the answer';
      await expect(stripe.refund(wanted)).rejects.toThrow();
      bank.mood = 'answers';
      expect(await stripe.lookUpRefund(wanted)).toMatchObject({ status: 'completed' });
      expect(sent(paymentId)).toBe(1);
    });

    test('a key that another request has used is thrown, never taken for a refusal', async () => {
      const [first, other] = [await paid(), await paid()];
      const wanted = order(first.paymentId);
      await stripe.refund(wanted);
      await expect(stripe.refund({ ...wanted, paymentId: other.paymentId })).rejects.toThrow(
        'same parameters',
      );
      expect(sent(other.paymentId)).toBe(0);
    });

    test('more than was paid, and a payment that Stripe has not, are refused', async () => {
      const { paymentId } = await paid();
      expect(await stripe.refund(order(paymentId, 5_000))).toMatchObject({ status: 'refused' });
      expect(await stripe.refund(order('pi_unknown'))).toMatchObject({ status: 'refused' });
    });

    test('one that failed at Stripe is refused; one that is not finished is pending; of another status nothing is known', async () => {
      const { paymentId } = await paid();
      bank.state.refundsAre = 'failed';
      expect(await stripe.refund(order(paymentId))).toMatchObject({ status: 'refused' });
      bank.state.refundsAre = 'pending';
      const wanted = order(paymentId);
      const pending = { status: 'pending', refundId: expect.any(String) as string };
      expect(await stripe.refund(wanted)).toEqual(pending);
      expect(await stripe.lookUpRefund(wanted)).toEqual(pending);
      Object.assign(bank.state.refunds.at(-1)!, { status: 'made up' });
      await expect(stripe.lookUpRefund(wanted)).rejects.toThrow('has not finished');
      bank.state.refunds.at(-1)!.status = 'succeeded';
      expect(await stripe.lookUpRefund(wanted)).toMatchObject({ status: 'completed' });
    });

    test('one that is requested again with less, since a chargeback paid a part, has another key, and is found', async () => {
      const { paymentId } = await paid();
      const wanted = order(paymentId);
      bank.state.refundsAre = 'failed';
      expect(await stripe.refund(wanted)).toMatchObject({ status: 'refused' });
      bank.state.refundsAre = 'succeeded';
      // Under the same key the first one may still be sent.
      await expect(stripe.refund({ ...wanted, amountMinor: 600 })).rejects.toThrow('same parameters');
      const less = { ...wanted, key: wanted.key.replace(/:1$/, ':2'), amountMinor: 600 };
      expect(await stripe.refund(less)).toMatchObject({ status: 'completed', amountMinor: 600 });
      expect(await stripe.lookUpRefund(less)).toMatchObject({ status: 'completed', amountMinor: 600 });
      // Whichever attempt was sent is found, also by who does not know of it.
      expect(await stripe.lookUpRefund(wanted)).toMatchObject({ status: 'completed', amountMinor: 600 });
      expect(await stripe.lookUpRefund({ ...wanted, key: `${v7()}:1` })).toBeNull();
    });

    test('Stripe’s key and metadata are the key, so that a lost call that arrives after all sends nothing', async () => {
      const { paymentId } = await paid();
      const wanted = order(paymentId);
      await stripe.refund(wanted);
      expect(bank.state.refunds.at(-1)!.metadata).toEqual({ refund_id: wanted.key });
      expect(bank.keys.at(-1)).toBe(wanted.key);
    });

    test.each(silent)('a Stripe that %s is thrown, never taken for a no', async (mood) => {
      const { paymentId } = await paid();
      bank.mood = mood;
      await expect(stripe.refund(order(paymentId))).rejects.toThrow();
      await expect(stripe.lookUpRefund(order(paymentId))).rejects.toThrow();
    });

    test.each(silent)('a Stripe that first %s sends one refund', async (mood) => {
      const { paymentId } = await paid();
      const wanted = order(paymentId);
      bank.mood = mood;
      await expect(stripe.refund(wanted)).rejects.toThrow();
      bank.mood = 'answers';
      const outcome = (await stripe.lookUpRefund(wanted)) ?? (await stripe.refund(wanted));
      expect(outcome).toMatchObject({ status: 'completed', amountMinor: 1_000 });
      expect(await stripe.refund(wanted)).toEqual(outcome);
      expect(await stripe.lookUpRefund(wanted)).toEqual(outcome);
      expect(sent(paymentId)).toBe(1);
    });
  });

  describe('looking up', () => {
    test('an open page has nothing to report; a paid one its payment', async () => {
      const { key, reference } = { ...paymentToOpen(), ...(await stripe.openPayment(paymentToOpen())) };
      expect(await stripe.lookUpPayment({ key, reference })).toEqual([]);
      const paymentId = bank.state.pay(reference!);
      expect(await stripe.lookUpPayment({ key, reference })).toEqual([
        { paymentId, status: 'PAID', amountMinor: 4_999, currency: 'USD' },
      ]);
    });

    test('a payment is another system’s only if Stripe has it without an id of ours', async () => {
      bank.state.foreign.push('pi_theirs');
      expect(await stripe.isForeign!('pi_theirs')).toBe(true);
      expect(await stripe.isForeign!((await paid()).paymentId)).toBe(false);
      await expect(stripe.isForeign!('pi_unknown')).rejects.toThrow('No such payment_intent');
      bank.mood = 'fails';
      await expect(stripe.isForeign!('pi_theirs')).rejects.toThrow();
    });

    test('a page that was closed is EXPIRED, and closing it again changes nothing', async () => {
      const { key } = paymentToOpen();
      const { reference } = await stripe.openPayment(paymentToOpen({ key }));
      for (let times = 0; times < 2; times++) await stripe.closePayment({ key, reference });
      expect(await stripe.lookUpPayment({ key, reference })).toMatchObject([
        { paymentId: reference, status: 'EXPIRED' },
      ]);
    });

    test('closing a page that was paid meanwhile leaves it paid', async () => {
      const payment = await paid();
      await stripe.closePayment(payment);
      expect(await stripe.lookUpPayment(payment)).toMatchObject([{ status: 'PAID' }]);
    });

    test('without Stripe’s name money is found by our key', async () => {
      const { key, paymentId } = await paid();
      await stripe.closePayment({ key, reference: null });
      expect(await stripe.lookUpPayment({ key, reference: null })).toMatchObject([
        { paymentId, status: 'PAID' },
      ]);
      expect(await stripe.lookUpPayment({ key: v7(), reference: null })).toEqual([]);
    });

    test.each(silent)('a Stripe that %s is thrown', async (mood) => {
      const payment = await paid();
      bank.mood = mood;
      await expect(stripe.lookUpPayment(payment)).rejects.toThrow();
      await expect(stripe.closePayment(payment)).rejects.toThrow();
    });

    test('a Stripe that does not answer is given up in time to look up other attempts', async () => {
      const { calls, afterMs } = await unanswered;
      for (const call of calls) expect(call.status).toBe('rejected');
      expect(afterMs).toBeLessThan(LOOK_UP_TIMES.callMs + 2_000);
    });
  });
});

describe('Stripe’s own description', () => {
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
    expect(await stripe.isForeign!('pi_1')).toBe(true);
  });
});
