import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import {
  requireWholePayments as requireWholeWorker,
  type ProvidersConfig,
} from '../../../../activities/providers/config';
import { paymentProviders } from '../../../../activities/providers/payments';
import { bankProvider } from '../../../../activities/providers/payments/bank/driver';
import { type PaymentProvider, ProviderRefusal } from '../../../../activities/providers/payments/port';
import { readMessage } from '../../../../activities/providers/payments/read-message';
import { stripeSettings } from '../../../../activities/providers/payments/stripe/driver';
import { PaymentsConfig, requireWholePayments } from '../../../../api/payments/config';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { readSandboxLink } from '../../../../api/sandbox/link';
import type { SandboxEntry } from '../../../../db/commerce/sandbox/sandbox.writes';
import { rows } from '../../../../db/sql/query';
import { disputeObject, sessionObject, stripeEvent } from '../../../support/fakes/stripe-events';
import { ownDatabase } from '../../../support/servers/database';
import { providersConfigOf } from '../../../support/worlds/providers';
import { testVariables } from '../../../support/worlds/variables';

const own = ownDatabase();

describe('the sandbox', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  let sandbox: PaymentProvider;

  beforeAll(() => {
    const config = providersConfigOf({ PUBLIC_URL: 'http://shop.test:3000/', SANDBOX_SECRET: secret });
    const provider = paymentProviders(config, own.db).get('sandbox');
    if (!provider) throw new Error('The sandbox is not among the providers.');
    sandbox = provider;
  });

  const lookUp = (key: string) => sandbox.lookUpPayment({ key, reference: null });

  const command = {
    method: 'CARD',
    amountMinor: 4_999,
    currency: 'USD',
    openedAt: '2026-03-01T11:30:00.000Z',
    expiresAt: '2026-03-01T12:00:00.000Z',
  } as const;

  /** A payment on the page, as if made a while ago. */
  async function entered(
    entries: SandboxEntry[],
    { amountMinor = 4_999, at = new Date(Date.now() - 60_000) } = {},
  ) {
    const key = v7();
    await enterSandboxPayments(own.db, { key, amountMinor, currency: 'USD', at }, () => entries);
    return { key, reports: await lookUp(key) };
  }

  const paid: SandboxEntry = { status: 'PAID', delayMs: 0 };

  describe('opening', () => {
    test('a link carries everything, signed, whatever the description is', async () => {
      const key = v7();
      const description = 'Order «A&B» = 100 % + <script>';
      const { paymentUrl } = await sandbox.openPayment({ key, description, ...command });
      const url = new URL(paymentUrl);
      expect(url.origin + url.pathname).toBe(`http://shop.test:3000/sandbox/payments/${key}`);
      const { openedAt: _, ...shown } = command;
      expect(readSandboxLink(key, Object.fromEntries(url.searchParams), [secret])).toEqual({
        key,
        description,
        ...shown,
      });
    });

    test('makes no call and no row, and the same payment has the same link', async () => {
      const payment = { key: v7(), description: 'Order 1', ...command };
      expect(await sandbox.openPayment(payment)).toEqual(await sandbox.openPayment(payment));
      expect(await lookUp(payment.key)).toEqual([]);
    });
  });

  describe('looking up', () => {
    test('each time money moved is a report of its own, oldest first', async () => {
      const { reports } = await entered([{ status: 'DECLINED', delayMs: 0 }, paid, paid]);
      expect(reports.map(({ status }) => status)).toEqual(['DECLINED', 'PAID', 'PAID']);
      expect(new Set(reports.map(({ paymentId }) => paymentId)).size).toBe(3);
      expect(reports[1]).toEqual({
        paymentId: expect.any(String),
        status: 'PAID',
        amountMinor: 4_999,
        currency: 'USD',
      });
    });

    test('money that comes late is not reported before its time', async () => {
      const late = [
        { status: 'EXPIRED', delayMs: 0 },
        { status: 'PAID', delayMs: 3_600_000 },
      ] satisfies SandboxEntry[];
      const { reports } = await entered(late);
      expect(reports.map(({ status }) => status)).toEqual(['EXPIRED']);
      const later = await entered(late, { at: new Date(Date.now() - 3_700_000) });
      expect(later.reports.map(({ status }) => status)).toEqual(['EXPIRED', 'PAID']);
    });
  });

  test('presses at once are seen one after the other, so that a payment closes for all others', async () => {
    for (let round = 0; round < 5; round++) {
      const payment = { key: v7(), amountMinor: 100, currency: 'USD', at: new Date() };
      const decide = (recorded: readonly unknown[]) => (recorded.length === 0 ? [paid] : []);
      await Promise.all(Array.from({ length: 20 }, () => enterSandboxPayments(own.db, payment, decide)));
      expect(await lookUp(payment.key)).toHaveLength(1);
    }
  });

  describe('refunds', () => {
    const order = (paymentId: string, amountMinor: number) => ({
      key: `${v7()}:1`,
      paymentId,
      amountMinor,
      currency: 'USD',
    });
    const refundCount = async (paymentId: string): Promise<number> =>
      (await rows(own.db, 'SELECT 1 FROM sandbox_refunds WHERE payment_id = $1', [paymentId])).length;

    test('one key is one refund, however often and however simultaneously it is requested', async () => {
      const { reports } = await entered([paid]);
      const wanted = order(reports[0]!.paymentId, 1_000);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => sandbox.refund(wanted)));
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(outcomes[0]).toEqual({
        status: 'completed',
        refundId: expect.any(String),
        amountMinor: wanted.amountMinor,
      });
      expect(await sandbox.lookUpRefund(wanted)).toEqual(outcomes[0]);
      expect(await refundCount(wanted.paymentId)).toBe(1);
    });

    test('a key that was used for something else is thrown, never taken for a refusal', async () => {
      const { reports } = await entered([paid]);
      const wanted = order(reports[0]!.paymentId, 1_000);
      await sandbox.refund(wanted);
      for (const change of [{ amountMinor: 999 }, { paymentId: 'TX-1' }, { currency: 'EUR' }])
        await expect(sandbox.refund({ ...wanted, ...change })).rejects.toThrow('of another refund');
      expect(await refundCount(wanted.paymentId)).toBe(1);
    });

    test('never more goes back than came in, even when requested at once', async () => {
      const { reports } = await entered([paid], { amountMinor: 1_000 });
      const { paymentId } = reports[0]!;
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () => sandbox.refund(order(paymentId, 300))),
      );
      expect(outcomes.filter(({ status }) => status === 'completed')).toHaveLength(3);
      expect(await sandbox.refund(order(paymentId, 101))).toMatchObject({ status: 'refused' });
      expect(await sandbox.refund(order(paymentId, 100))).toMatchObject({ status: 'completed' });
    });

    test('what was declined, and another currency, is refused and leaves nothing to look up', async () => {
      const { reports } = await entered([{ status: 'DECLINED', delayMs: 0 }, paid]);
      const declined = order(reports[0]!.paymentId, 1);
      expect(await sandbox.refund(declined)).toMatchObject({ status: 'refused' });
      expect(await sandbox.lookUpRefund(declined)).toBeNull();
      expect(await sandbox.refund({ ...order(reports[1]!.paymentId, 1), currency: 'EUR' })).toMatchObject({
        status: 'refused',
      });
    });

    test.each(['TX-2026/17', v7()])(
      'a transfer that came by the bank (%s) can be given back',
      async (paymentId) => {
        expect(await sandbox.refund(order(paymentId, 5_000))).toMatchObject({ status: 'completed' });
      },
    );
  });
});

describe('messages', () => {
  const key = v7();
  const read = (type: string, object: object) =>
    readMessage('stripe', JSON.stringify(stripeEvent(type, object)));

  describe('Stripe’s events', () => {
    const session = sessionObject(key);
    const payment = { paymentId: session.payment_intent, amountMinor: 5_000, currency: 'USD' };

    test.each([
      ['checkout.session.completed', 'PAID'],
      ['checkout.session.async_payment_succeeded', 'PAID'],
      ['checkout.session.async_payment_failed', 'DECLINED'],
      ['checkout.session.expired', 'EXPIRED'],
    ])('%s is %s', (type, status) => {
      expect(read(type, session)).toEqual({ about: 'payment', key, report: { ...payment, status } });
    });

    test('a session that is completed and not paid is reported later', () => {
      const waits = sessionObject(key, { payment_status: 'unpaid' });
      expect(read('checkout.session.completed', waits)).toEqual({ about: 'delay', key });
    });

    test('a session that brought no money is known by itself', () => {
      const expired = sessionObject(key, {
        payment_intent: null,
        status: 'expired',
        payment_status: 'unpaid',
      });
      expect(read('checkout.session.expired', expired)).toMatchObject({
        report: { paymentId: expired.id, status: 'EXPIRED' },
      });
    });

    test('a payment that failed is DECLINED, also when it is put in whole', () => {
      const failed = { id: 'pi_1', amount: 5_000, currency: 'usd', metadata: { attempt_id: key } };
      const report = { paymentId: 'pi_1', status: 'DECLINED', amountMinor: 5_000, currency: 'USD' };
      const declined = { ...report, pageStaysOpen: true };
      expect(read('payment_intent.payment_failed', failed)).toEqual({
        about: 'payment',
        key,
        report: declined,
      });
      const whole = sessionObject(key, { payment_intent: { id: 'pi_1', object: 'payment_intent' } });
      expect(read('checkout.session.completed', whole)).toMatchObject({ report: { paymentId: 'pi_1' } });
    });

    test.each([
      ['charge.dispute.funds_withdrawn', 'TAKEN', 'needs_response'],
      ['charge.dispute.closed', 'LOST', 'lost'],
      ['charge.dispute.funds_reinstated', 'RETURNED', 'won'],
    ])('%s: the money is %s', (type, status, disputeStatus) => {
      const dispute = disputeObject('pi_1', { status: disputeStatus });
      expect(read(type, dispute)).toEqual({
        about: 'chargeback',
        chargeback: {
          chargebackId: dispute.id,
          paymentId: 'pi_1',
          status,
          amountMinor: 5_000,
          currency: 'USD',
        },
      });
    });

    test.each<[string, object]>([
      ['customer.created', sessionObject(key)],
      ['__proto__', sessionObject(key)],
      ['checkout.session.completed', sessionObject('no uuid')],
      ['checkout.session.completed', sessionObject(key, { payment_intent: null })],
      ['checkout.session.completed', sessionObject(key, { amount_total: null })],
      ['checkout.session.completed', sessionObject(key, { amount_total: 0.5 })],
      ['checkout.session.completed', sessionObject(key, { currency: 'dollars' })],
      ['checkout.session.completed', sessionObject(key, { payment_intent: 'with a space' })],
      ['payment_intent.payment_failed', { id: 'pi_1', amount: 1, currency: 'usd', metadata: {} }],
      ['charge.dispute.funds_withdrawn', disputeObject('pi_1', { payment_intent: null })],
      ['charge.dispute.closed', disputeObject('pi_1', { status: 'won' })],
      ['charge.dispute.closed', disputeObject('pi_1', { status: null })],
    ])('%s that is not of their form is nothing', (type, object) => {
      expect(read(type, object)).toBeNull();
    });
  });

  describe('our own form', () => {
    const data = { key, paymentId: 'p-1', amountMinor: 100, currency: 'USD' };
    const ours = (type: string, more: object = {}) =>
      readMessage('sandbox', JSON.stringify({ type, data: { ...data, ...more } }));

    test.each([
      ['payment.paid', 'PAID'],
      ['payment.declined', 'DECLINED'],
      ['payment.expired', 'EXPIRED'],
    ])('%s is %s', (type, status) => {
      expect(ours(type)).toEqual({
        about: 'payment',
        key,
        report: { paymentId: 'p-1', amountMinor: 100, currency: 'USD', status },
      });
    });

    test.each([
      ['payment.charged_back', 'TAKEN'],
      ['payment.chargeback_returned', 'RETURNED'],
    ])('%s: the money is %s', (type, status) => {
      expect(ours(type, { chargebackId: 'c-1' })).toMatchObject({
        about: 'chargeback',
        chargeback: { chargebackId: 'c-1', paymentId: 'p-1', status, amountMinor: 100 },
      });
      expect(ours(type)).toBeNull();
      expect(ours(type, { chargebackId: 'c-1', feeMinor: null })).toEqual(
        ours(type, { chargebackId: 'c-1' }),
      );
      expect(ours(type, { chargebackId: 'c-1', amountMinor: null })).toBeNull();
    });

    test('a field that is null is absent', () => {
      expect(ours('payment.paid', { chargebackId: null, feeMinor: null })).toEqual(ours('payment.paid'));
    });

    test('is not taken from Stripe, nor Stripe’s from others', () => {
      expect(readMessage('stripe', JSON.stringify({ type: 'payment.paid', data }))).toBeNull();
      const event = stripeEvent('checkout.session.completed', sessionObject(key));
      expect(readMessage('sandbox', JSON.stringify(event))).toBeNull();
      expect(readMessage('sandbox', 'no JSON')).toBeNull();
    });
  });
});

describe('bank transfers', () => {
  const bank = bankProvider();
  const payment = { key: v7(), reference: null };

  test('money that goes back by transfer is sent by a person, however often it is requested', async () => {
    const order = { key: v7(), paymentId: 'BANK-1', amountMinor: 5_000, currency: 'USD' };
    expect(await bank.refund(order)).toEqual({ status: 'manual' });
    expect(await bank.lookUpRefund(order)).toBeNull();
    expect(await bank.refund(order)).toEqual({ status: 'manual' });
  });

  test('it has no page, and reports nothing by itself', async () => {
    const at = new Date().toISOString();
    const opened = bank.openPayment({
      key: v7(),
      method: 'CARD',
      amountMinor: 1,
      currency: 'USD',
      openedAt: at,
      expiresAt: at,
      description: 'ORD-1',
    });
    await expect(opened).rejects.toBeInstanceOf(ProviderRefusal);
    await bank.closePayment(payment);
    expect(await bank.lookUpPayment(payment)).toEqual([]);
  });
});

describe('settings of Stripe', () => {
  const providers = (config: ProvidersConfig) => [...paymentProviders(config, own.db).keys()];

  test('without a key there is no Stripe', () => {
    expect(stripeSettings(providersConfigOf())).toBeNull();
    expect(providers(providersConfigOf())).toEqual(['bank', 'sandbox']);
  });

  test('with a key there is Stripe in addition to the sandbox, and browsers go home unless configured', () => {
    const config = providersConfigOf({ STRIPE_SECRET_KEY: 'rk_live_abc1', PUBLIC_URL: 'https://shop.test/' });
    expect(stripeSettings(config)).toEqual({
      secretKey: 'rk_live_abc1',
      apiBase: undefined,
      successUrl: 'https://shop.test/api/docs/',
      cancelUrl: 'https://shop.test/api/docs/',
    });
    expect(providers(config)).toEqual(['bank', 'sandbox', 'stripe']);
  });

  test('a start without a setting that Stripe requires names the missing one', () => {
    const stripe = { PAYMENT_PROVIDER: 'stripe' };
    expect(() => requireWholeWorker(providersConfigOf(stripe))).toThrow('STRIPE_SECRET_KEY must be set');
    const keyed = providersConfigOf({ ...stripe, STRIPE_SECRET_KEY: 'sk_test_1' });
    expect(() => requireWholeWorker(keyed)).not.toThrow();
    const api = (variables: object) => PaymentsConfig.parse({ ...testVariables, ...variables });
    expect(() => requireWholePayments(api(stripe))).toThrow('STRIPE_WEBHOOK_SECRETS must be set');
    expect(() => requireWholePayments(api({}))).not.toThrow();
    const whole = api({ ...stripe, STRIPE_WEBHOOK_SECRETS: 'whsec_a1, whsec_b2' });
    expect(() => requireWholePayments(whole)).not.toThrow();
    expect(whole.STRIPE_WEBHOOK_SECRETS).toEqual(['whsec_a1', 'whsec_b2']);
  });

  test.each<Record<string, string>>([
    { STRIPE_SECRET_KEY: 'pk_live_1' },
    { STRIPE_SECRET_KEY: 'sk_live_ 1' },
    { STRIPE_API_BASE: 'ftp://stripe.test' },
    { STRIPE_SUCCESS_URL: 'shop' },
  ])('%j is refused', (variables) => {
    expect(() => providersConfigOf(variables)).toThrow(Object.keys(variables)[0]);
  });

  test('a webhook secret that cannot be one is refused', () => {
    expect(() => PaymentsConfig.parse({ ...testVariables, STRIPE_WEBHOOK_SECRETS: 'sk_live_1' })).toThrow(
      'must be whsec_',
    );
  });
});
