import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { firstRow, rows } from '../../../../db/sql/query';
import type {
  PaymentOutcome,
  PaymentReport,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import {
  NOTHING_HELD,
  orderState,
  orderSteps,
  PRICE_MINOR,
  storedReport,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { paymentLookupActivities } from '../../../../activities/commerce/payment-event/look-up/payment-lookup.activities';
import { bankProvider } from '../../../../activities/providers/payments/bank/driver';
import type { PaymentHandle, PaymentProvider } from '../../../../activities/providers/payments/port';
import { LOOK_UP_TIMES, type LookUpTimes } from '../../../../workflows/kit/limits/provider-times';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('one attempt', () => {
  /** When the window of an order of these has passed. */
  const at = new Date(Date.now() + 90 * 60_000).toISOString();

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
      const order = await given(own.db).order();
      for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
      expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
    });

    test('money is found: the order is paid, once', async () => {
      const order = await given(own.db).order();
      await unreported(order.attemptId, ['DECLINED', 'PAID']);
      for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
      expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
    });

    test('money is found twice: one refund is due, and is named again when the first answer was lost', async () => {
      const order = await given(own.db).order();
      await unreported(order.attemptId, ['PAID', 'PAID']);
      const due = await lookUp(order.orderId);
      expect(due).toEqual([
        expect.objectContaining({ refundId: expect.any(String), orderId: order.orderId }),
      ]);
      expect(await lookUp(order.orderId)).toEqual(due);
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['DUPLICATE_PAYMENT PROCESSING'],
      });
    });

    test('a card was declined without a report: the order still waits, and shows that the payment failed', async () => {
      const order = await given(own.db).order();
      await unreported(order.attemptId, ['DECLINED']);
      for (let times = 0; times < 2; times++) expect(await lookUp(order.orderId)).toEqual([]);
      expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT FAILED');
    });

    test('the payment expired at the provider: the order is cancelled', async () => {
      const order = await given(own.db).order();
      await unreported(order.attemptId, ['EXPIRED']);
      for (let times = 0; times < 2; times++) await lookUp(order.orderId);
      expect(await orderState(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
    });
  });

  test('a transfer is looked for at no provider', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER' });
    await unreported(order.attemptId, ['PAID']);
    expect(await lookUp(order.orderId)).toEqual([]);
    expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
  });

  describe('money of another amount or currency', () => {
    const captured = { currency: 'USD', applied: false };
    const capturesOf = (orderId: string) =>
      rows(own.db, 'SELECT amount_minor, currency, applied FROM payment_captures WHERE order_id = $1', [
        orderId,
      ]);
    const isGivenUp = async (order: OrderToPlace): Promise<void> => {
      await orderSteps(own.db).expireOrder({ orderId: order.orderId, at });
      expect(await orderState(own.db, order)).toMatchObject({
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
      const order = await given(own.db).order();
      await unreported(order.attemptId, ['PAID'], money);
      const due = await lookUp(order.orderId);
      expect(due).toEqual([
        expect.objectContaining({ refundId: expect.any(String) as string, orderId: order.orderId }),
      ]);
      expect(await lookUp(order.orderId)).toEqual(due);
      expect(await capturesOf(order.orderId)).toEqual([{ ...captured, ...money }]);
      await isGivenUp(order);
    });

    test('in addition to the right amount of another attempt: the order is paid', async () => {
      const order = await given(own.db).order();
      const { orderId } = order;
      const attemptId = v7();
      const soon = new Date(Date.now() + 60_000).toISOString();
      await orderSteps(own.db).openPayment({ orderId, attemptId, paymentMethod: 'EWALLET', at: soon });
      await unreported(order.attemptId, ['PAID'], { amountMinor: 1, currency: 'USD' });
      await unreported(attemptId, ['PAID']);
      expect(await lookUp(orderId)).toHaveLength(1);
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['AMOUNT_MISMATCH PROCESSING'],
        ...TWO_SOLD,
      });
    });

    test('what contradicts a payment that is recorded holds up nothing', async () => {
      const order = await given(own.db).order();
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
});

/** Look-ups at a payment company that answers late or never, at the end of an order's window. */
describe('a slow company', () => {
  const at = new Date().toISOString();
  const ended = new Date(Date.parse(at) + 40 * 60_000).toISOString();
  const never = <Answer>(): Promise<Answer> => new Promise<Answer>(() => undefined);
  const paid = (): PaymentReport => ({
    paymentId: v7(),
    status: 'PAID',
    amountMinor: PRICE_MINOR,
    currency: 'USD',
  });

  /** An order with this number of attempts, oldest first, at a company with these answers; and its look-up. */
  async function orderWith(
    attempts: number,
    answers: (keys: readonly string[]) => Partial<Pick<PaymentProvider, 'closePayment' | 'lookUpPayment'>>,
  ) {
    const keys: string[] = [];
    const company: PaymentProvider = {
      ...bankProvider(),
      code: 'slow',
      openPayment: () => Promise.resolve({ paymentUrl: 'https://slow.test/', reference: null }),
      ...answers(keys),
    };
    const steps = orderSteps(own.db, company);
    const order = await given(own.db).order({ at, provider: company });
    const { orderId } = order;
    keys.push(order.attemptId);
    while (keys.length < attempts) {
      const attemptId = v7();
      const paymentMethod = keys.length % 2 ? 'EWALLET' : 'CARD';
      await steps.openPayment({ orderId, attemptId, paymentMethod, at });
      keys.push(attemptId);
    }
    const bank = { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' };
    const payments = {
      providers: new Map([[company.code, company]]),
      current: company.code,
      bank,
      accountHolder: 'Shop',
    };
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    const heartbeats: number[] = [];
    environment.on('heartbeat', () => heartbeats.push(Date.now()));
    const lookUp = (times?: Partial<LookUpTimes>) =>
      environment.run(
        paymentLookupActivities({ db: own.db, payments, times: { ...LOOK_UP_TIMES, ...times } })
          .lookUpPayments,
        { orderId, provider: company.code, at: ended },
      );
    return { order, environment, heartbeats, lookUp };
  }
  const answersOf = (answers: (key: string) => Promise<PaymentReport[]>) => ({
    lookUpPayment: ({ key }: PaymentHandle) => answers(key),
  });

  test('a company that answers for one attempt and never for another: the try ends in time, its money pays', async () => {
    const { order, lookUp } = await orderWith(2, (keys) =>
      answersOf((key) => (key === keys[0] ? Promise.resolve([paid()]) : never())),
    );
    const began = Date.now();
    await expect(lookUp({ closingMs: 100, askingMs: 300 })).rejects.toThrow('did not answer in time');
    expect(Date.now() - began).toBeLessThan(LOOK_UP_TIMES.askingMs);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('pages that never close leave time to ask', async () => {
    const { order, lookUp } = await orderWith(2, (keys) => ({
      closePayment: () => never(),
      ...answersOf((key) => Promise.resolve(key === keys[0] ? [paid()] : [])),
    }));
    await expect(lookUp({ closingMs: 100, askingMs: 5_000 })).rejects.toThrow('did not answer in time');
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
  });

  test('money pays the order before the next attempts are looked up', async () => {
    const seen: unknown[] = [];
    const { order, lookUp } = await orderWith(3, (keys) =>
      answersOf(async (key) => {
        if (key === keys[2]) seen.push((await orderState(own.db, order)).order);
        return key === keys[0] ? [paid()] : [];
      }),
    );
    expect(await lookUp({ atOnce: 2 })).toHaveLength(1);
    expect(seen).toEqual(['PAID PAID']);
  });

  test('cancelled while a company is silent, it ends at once, and what was found stays', async () => {
    const { order, environment, lookUp } = await orderWith(2, (keys) =>
      answersOf((key) => {
        if (key === keys[0]) return Promise.resolve([paid()]);
        setTimeout(() => environment.cancel(), 100);
        return never();
      }),
    );
    await expect(lookUp({ atOnce: 1 })).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect((await orderState(own.db, order)).order).toBe('PAID PAID');
  });

  test('once it is cancelled it applies nothing more: its order may have gone on', async () => {
    const { order, environment, lookUp } = await orderWith(2, (keys) =>
      answersOf((key) => {
        if (key === keys[0]) return Promise.resolve([paid()]);
        setTimeout(() => environment.cancel(), 100);
        return never();
      }),
    );
    await expect(lookUp({ atOnce: 2 })).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', refunds: [] });
  });

  test('what contradicts a payment that is recorded is logged', async () => {
    const money = paid();
    const { environment, lookUp } = await orderWith(1, () =>
      answersOf(() => Promise.resolve([money, { ...money, amountMinor: 1 }])),
    );
    const warnings = jest.spyOn(environment.context.log, 'warn');
    await lookUp();
    expect(warnings).toHaveBeenCalledWith(
      expect.stringContaining('contradicts'),
      expect.objectContaining({ why: expect.stringContaining(money.paymentId) as string }),
    );
  });

  test('it reports that it goes on while a company is slow', async () => {
    const { heartbeats, lookUp } = await orderWith(1, () => answersOf(() => never()));
    await expect(lookUp({ closingMs: 100, askingMs: 5_500 })).rejects.toThrow();
    expect(heartbeats).toHaveLength(1);
  });
});

/** Orders with two attempts to pay in the sandbox, at the end of their window. */
describe('two attempts at the sandbox', () => {
  const at = new Date().toISOString();
  const ended = new Date(Date.parse(at) + 40 * 60_000).toISOString();

  /** Two attempts; the first was given up for the second. */
  async function twoAttempts() {
    const steps = orderSteps(own.db);
    const order = await given(own.db).order({ at });
    const { orderId, attemptId: first } = order;
    const second = v7();
    await steps.openPayment({ orderId, attemptId: second, paymentMethod: 'EWALLET', at });
    return { order, orderId, first, second, steps };
  }
  const unreported = (key: string, ...outcomes: PaymentOutcome[]): Promise<unknown> =>
    enterSandboxPayments(own.db, { key, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() }, () =>
      outcomes.map((status) => ({ status, delayMs: 0 })),
    );

  test.each<[PaymentOutcome[], PaymentOutcome[]]>([
    [['PAID'], ['EXPIRED']],
    [['EXPIRED', 'PAID'], ['DECLINED']],
    [['DECLINED'], ['EXPIRED', 'PAID']],
  ])('attempts that ended %p and %p: the order is paid', async (ofFirst, ofSecond) => {
    const { order, orderId, first, second, steps } = await twoAttempts();
    await unreported(first, ...ofFirst);
    await unreported(second, ...ofSecond);
    for (let times = 0; times < 2; times++)
      expect(await lookForMoney(steps, { orderId, at: ended })).toEqual([]);
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
  });

  test('both attempts were paid: the oldest money pays the order, the other goes back', async () => {
    const { order, orderId, first, second, steps } = await twoAttempts();
    await unreported(second, 'PAID');
    await unreported(first, 'PAID');
    expect(await lookForMoney(steps, { orderId, at: ended })).toHaveLength(1);
    const paid = await firstRow(
      own.db,
      `SELECT id FROM payment_attempts WHERE order_id = $1 AND status = 'PAID'`,
      [orderId],
    );
    expect(paid).toEqual({ id: first });
    expect((await orderState(own.db, order)).refunds).toEqual(['DUPLICATE_PAYMENT PROCESSING']);
  });

  test('unless all attempts were looked up, only money is applied', async () => {
    const { order, orderId, second, steps } = await twoAttempts();
    const expired = {
      paymentId: v7(),
      status: 'EXPIRED' as const,
      amountMinor: PRICE_MINOR,
      currency: 'USD',
    };
    const found = [{ attemptId: second, report: expired }];
    await steps.applyLookUps({ orderId, found, complete: false, at: ended });
    expect((await orderState(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
  });
});
