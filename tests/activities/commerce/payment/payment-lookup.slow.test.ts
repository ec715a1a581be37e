import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { v7 } from 'uuid';
import { paymentLookupActivities } from '../../../../activities/commerce/payment/payment-lookup.activities';
import { bankProvider } from '../../../../activities/providers/payments/bank/bank';
import type { PaymentHandle, PaymentProvider } from '../../../../activities/providers/payments/port';
import type { PaymentReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { LOOK_UP_TIMES, type LookUpTimes } from '../../../../workflows/kit/provider-times';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  orderStep,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../../support/builders/ordering';

/** Look-ups at a payment company that answers late or never, at the end of an order's window. */
const own = ownDatabase();
const at = new Date().toISOString();
const ended = new Date(Date.parse(at) + 40 * 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

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
  const order = await placedOrder(own.db, {}, { at, provider: company });
  const { orderId } = order;
  keys.push(order.attemptId);
  while (keys.length < attempts) {
    const attemptId = v7();
    const paymentMethod = keys.length % 2 ? 'EWALLET' : 'CARD';
    await steps.openPayment({ orderId, attemptId, paymentMethod, at });
    keys.push(attemptId);
  }
  const bank = { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' };
  const payments = { providers: new Map([[company.code, company]]), current: company.code, bank };
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const heartbeats: number[] = [];
  environment.on('heartbeat', () => heartbeats.push(Date.now()));
  const lookUp = (times?: Partial<LookUpTimes>) =>
    environment.run(
      paymentLookupActivities({ db: own.db, payments, times: { ...LOOK_UP_TIMES, ...times } }).lookUpPayments,
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
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
});

test('pages that never close leave time to ask', async () => {
  const { order, lookUp } = await orderWith(2, (keys) => ({
    closePayment: () => never(),
    ...answersOf((key) => Promise.resolve(key === keys[0] ? [paid()] : [])),
  }));
  await expect(lookUp({ closingMs: 100, askingMs: 5_000 })).rejects.toThrow('did not answer in time');
  expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
});

test('money pays the order before the next attempts are looked up', async () => {
  const seen: unknown[] = [];
  const { order, lookUp } = await orderWith(3, (keys) =>
    answersOf(async (key) => {
      if (key === keys[2]) seen.push((await orderStep(own.db, order)).order);
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
  expect((await orderStep(own.db, order)).order).toBe('PAID PAID');
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
  expect(await orderStep(own.db, order)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', refunds: [] });
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
}, 15_000);
