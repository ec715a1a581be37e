import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { policyFrom } from '../../../../db/policy/config';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  NOTHING_HELD,
  orderState,
  orderSteps,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';
import { checkoutActivities } from '../../../../activities/commerce/checkout/checkout.activities';
import { paymentLookupActivities } from '../../../../activities/commerce/payment-event/look-up/payment-lookup.activities';
import { paymentPageActivities } from '../../../../activities/commerce/payment-event/payment-page.activities';
import { stripeProvider } from '../../../../activities/providers/payments/stripe/driver';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { asActivity } from '../../../support/servers/run-activity';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import type { OrderOptions, OrderToPlace } from '../../../support/builders/given/steps';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('attempts of an order', () => {
  const at = new Date().toISOString();
  const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
  const steps = (policy = policyFrom({})) => orderSteps(own.db, undefined, policy);
  const pay = (orderId: string, paymentMethod: PaymentMethod, when: string, by = steps()) =>
    by.openPayment({ orderId, attemptId: v7(), paymentMethod, at: when });
  const attemptsOf = async (orderId: string): Promise<string[]> =>
    (
      await rows<{ attempt: string }>(
        own.db,
        `SELECT method || ' ' || amount_minor || ' ' || status AS attempt FROM payment_attempts
       WHERE order_id = $1 ORDER BY sequence`,
        [orderId],
      )
    ).map(({ attempt }) => attempt);
  const methodOf = async (orderId: string): Promise<string | undefined> =>
    (
      await firstRow<{ method: string }>(
        own.db,
        'SELECT payment_method AS method FROM orders WHERE id = $1',
        [orderId],
      )
    )?.method;
  const reported = async (
    outcome: 'PAID' | 'EXPIRED' | 'DECLINED',
    attemptId: string,
    amountMinor = PRICE_MINOR,
  ) =>
    steps().applyPaymentEvent({
      webhookEventId: (await storedReport(own.db, outcome, { attemptId, amountMinor })).webhookEventId,
      at: later(45),
    });

  describe('windows', () => {
    test('a new attempt never shortens the window; its answer has its own deadline', async () => {
      const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
      const offered = await pay(order.orderId, 'CARD', later(60));
      expect(offered.standing.payBy).toBe(later(72 * 60));
      expect(offered.payment.expiresAt).toBe(later(90));
    });

    test('a page that expires leaves the order to the transfer that was given longer', async () => {
      const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
      const attemptId = v7();
      await steps().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at: later(1) });
      await reported('EXPIRED', attemptId);
      const early = await steps().expireOrder({ orderId: order.orderId, at: later(72 * 60 - 1) });
      expect(early.status).toBe('PENDING_PAYMENT');
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PENDING_PAYMENT FAILED',
        ...TWO_RESERVED,
      });
      await steps().expireOrder({ orderId: order.orderId, at: later(72 * 60) });
      expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
    });

    test('windows and their longest sum are those of the policy', async () => {
      const policy = policyFrom({ POLICY_CARD_WINDOW_MINUTES: '10', POLICY_LONGEST_PAYMENT_HOURS: '1' });
      const order = await given(own.db).cart();
      const placed = await steps(policy).placeOrder({ ...order, ...order.input, at });
      expect(placed.standing.payBy).toBe(later(10));
      const offered = await pay(order.orderId, 'BANK_TRANSFER', later(9), steps(policy));
      expect(offered.standing.payBy).toBe(later(60));
    });

    test('at the very end of the window nothing is opened', async () => {
      const order = await given(own.db).order({ at });
      await expect(pay(order.orderId, 'EWALLET', later(30))).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
      await pay(order.orderId, 'EWALLET', new Date(Date.parse(later(30)) - 1).toISOString());
    });
  });

  describe('attempts', () => {
    test('the method of the open attempt again is that attempt', async () => {
      const order = await given(own.db).order({ at });
      const again = await pay(order.orderId, 'CARD', later(10));
      expect(again.payment).toMatchObject({
        expiresAt: later(30),
        paymentUrl: expect.stringContaining(order.attemptId) as string,
      });
      expect(again.standing.payBy).toBe(later(30));
      expect(await attemptsOf(order.orderId)).toEqual([`CARD ${PRICE_MINOR} PENDING`]);
    });

    test('one that was declined, or whose own time is over, is not open', async () => {
      const order = await given(own.db).order({ method: 'BANK_TRANSFER', at });
      const attemptId = v7();
      await steps().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at: later(1) });
      await reported('DECLINED', attemptId);
      await pay(order.orderId, 'CARD', later(46));
      await pay(order.orderId, 'CARD', later(46 + 30));
      expect(await attemptsOf(order.orderId)).toEqual([
        `BANK_TRANSFER ${PRICE_MINOR} CANCELLED`,
        `CARD ${PRICE_MINOR} DECLINED`,
        `CARD ${PRICE_MINOR} CANCELLED`,
        `CARD ${PRICE_MINOR} PENDING`,
      ]);
    });

    test('there are as many as the policy has, then NOT_PAYABLE', async () => {
      const policy = policyFrom({ POLICY_PAYMENT_ATTEMPTS: '3' });
      const order = await given(own.db).order({ walletMinor: PRICE_MINOR, at });
      await pay(order.orderId, 'EWALLET', later(1), steps(policy));
      await pay(order.orderId, 'BANK_TRANSFER', later(2), steps(policy));
      for (const method of ['CARD', 'BALANCE'] as const)
        await expect(pay(order.orderId, method, later(3), steps(policy))).rejects.toMatchObject({
          type: 'NOT_PAYABLE',
        });
      const open = await pay(order.orderId, 'BANK_TRANSFER', later(3), steps(policy));
      expect(open.payment.method).toBe('BANK_TRANSFER');
      expect(await attemptsOf(order.orderId)).toHaveLength(3);
    });

    test('each is for what the partner balance leaves', async () => {
      const order = await given(own.db).order({ partnerMinor: 1_200, walletMinor: 4_000, at });
      await pay(order.orderId, 'EWALLET', later(1));
      expect(await attemptsOf(order.orderId)).toEqual(['CARD 3800 CANCELLED', 'EWALLET 3800 PENDING']);
      expect((await pay(order.orderId, 'BALANCE', later(2))).standing.status).toBe('PAID');
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        walletMinor: 200,
        ...TWO_SOLD,
      });
    });

    test('the order is named after the method of the one that paid', async () => {
      const byFirst = await given(own.db).order({ at });
      await pay(byFirst.orderId, 'EWALLET', later(1));
      await reported('PAID', byFirst.attemptId);
      expect(await methodOf(byFirst.orderId)).toBe('CARD');

      const byBalance = await given(own.db).order({ walletMinor: PRICE_MINOR, at });
      await pay(byBalance.orderId, 'BALANCE', later(1));
      expect(await methodOf(byBalance.orderId)).toBe('BALANCE');
    });
  });

  describe('partner balances', () => {
    test('one below zero brings nothing: the method pays all', async () => {
      const order = await given(own.db).cart({ partnerMinor: 100 });
      const clawedBack = [
        { account: 'partner_available' as const, userId: order.userId, amountMinor: -700, currency: 'USD' },
        { account: 'commission_expense' as const, amountMinor: 700, currency: 'USD' },
      ];
      await inTransaction(own.db, (tx) =>
        postTransfer(tx, {
          reference: { kind: 'seed-wallet', subjectId: v7() },
          entries: clawedBack,
          at: new Date(at),
          clawback: true,
        }),
      );
      const placed = await steps().placeOrder({ ...order, ...order.input, at });
      expect(placed.payment.amountMinor).toBe(PRICE_MINOR);
    });

    test('one that covers all settles the order at once', async () => {
      const order = await given(own.db).cart({ partnerMinor: PRICE_MINOR });
      const placed = await steps().placeOrder({ ...order, ...order.input, at });
      expect(placed.standing.status).toBe('PAID');
      expect(await attemptsOf(order.orderId)).toEqual(['CARD 0 PAID']);
    });

    test('how much a buyer may order unknown is the policy’s', async () => {
      const order = await given(own.db).cart({ kycLevel: 'NONE' });
      const command = { ...order, ...order.input, at };
      const strict = steps(policyFrom({ POLICY_ORDER_WITHOUT_KYC: '49' }));
      await expect(strict.placeOrder(command)).rejects.toMatchObject({ type: 'KYC_REQUIRED' });
      const exact = steps(policyFrom({ POLICY_ORDER_WITHOUT_KYC: '50' }));
      expect((await exact.placeOrder(command)).standing.status).toBe('PENDING_PAYMENT');
    });
  });
});

describe('pages', () => {
  let bank: FakeStripe;

  beforeAll(async () => {
    bank = await FakeStripe.start();
  });
  afterAll(() => bank.stop());
  beforeEach(() => {
    bank.mood = 'answers';
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
      accountHolder: 'Shop',
    };
    const parts = { db: own.db, payments, policy: policyFrom({}) };
    return {
      ...checkoutActivities(parts),
      ...paymentPageActivities(parts),
      lookUpPayments: asActivity(paymentLookupActivities(parts).lookUpPayments),
    };
  }
  const place = async (options?: OrderOptions) => {
    const order = await given(own.db).cart(options);
    const command = { ...order, ...order.input, at: new Date().toISOString() };
    return { order, command, placed: await steps().placeOrder(command) };
  };
  const attemptRow = ({ attemptId }: OrderToPlace) =>
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

    test('is refused for good when Stripe refuses, which ends the attempt', async () => {
      const { order } = await place();
      const past = new Date(Date.now() - 20 * 60_000);
      await execute(own.db, 'UPDATE payment_attempts SET created_at = $2, expires_at = $2 WHERE id = $1', [
        order.attemptId,
        past,
      ]);
      await expect(steps().openPage(order)).rejects.toMatchObject({
        type: 'PageRefused',
        nonRetryable: true,
      });
      expect(await attemptRow(order)).toEqual({ url: null, reference: null });
      expect(await orderState(own.db, order)).toMatchObject({ order: 'PENDING_PAYMENT FAILED' });
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

  describe('that could not be opened in time', () => {
    const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

    test('are replaced by those of a new attempt, which is asked for as any other', async () => {
      const order = await given(own.db).cart();
      const { orderId } = order;
      bank.mood = 'is silent';
      await steps().placeOrder({ ...order, ...order.input, at: minutesAgo(6) });
      await expect(steps().openPage(order)).rejects.toThrow();

      bank.mood = 'answers';
      const attemptId = v7();
      const again = { orderId, attemptId, paymentMethod: 'CARD' as const, at: minutesAgo(0) };
      const { payment, standing } = await steps().openPayment(again);
      expect(payment.pageToOpen).toEqual({ attemptId, provider: 'stripe' });
      expect(standing.payBy).toBe(payment.expiresAt);
      const { paymentUrl } = await steps().openPage({ attemptId });
      expect(paymentUrl).toBe(bank.state.sessionOf(attemptId).url);

      // The same request, and any later one, has that page.
      for (const id of [attemptId, v7()])
        expect((await steps().openPayment({ ...again, attemptId: id })).payment.paymentUrl).toBe(paymentUrl);
      expect(await steps().openPage(order)).toEqual({ paymentUrl: null });
    });

    test('are waited for while they can be opened', async () => {
      const order = await given(own.db).cart();
      const { orderId, attemptId } = order;
      await steps().placeOrder({ ...order, ...order.input, at: minutesAgo(4) });
      const again = { orderId, attemptId: v7(), paymentMethod: 'CARD' as const, at: minutesAgo(0) };
      const { payment } = await steps().openPayment(again);
      expect(payment.pageToOpen).toEqual({ attemptId, provider: 'stripe' });
    });
  });

  describe('at the end of the window', () => {
    const ended = new Date(Date.now() + 90 * 60_000).toISOString();

    test('an unpaid page is closed, and then its order is cancelled', async () => {
      const { order } = await place();
      await steps().openPage(order);
      for (let times = 0; times < 2; times++)
        expect(await lookForMoney(steps(), { orderId: order.orderId, at: ended })).toEqual([]);
      expect(bank.state.sessionOf(order.attemptId).status).toBe('expired');
      expect((await orderState(own.db, order)).order).toBe('CANCELLED FAILED');
    });

    test('money that Stripe has and did not report pays the order', async () => {
      const { order } = await place();
      await steps().openPage(order);
      bank.state.pay(bank.state.sessionOf(order.attemptId).id);
      for (let times = 0; times < 2; times++)
        await lookForMoney(steps(), { orderId: order.orderId, at: ended });
      expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
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
      expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
    });
  });
});
