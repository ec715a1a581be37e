import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { checkoutProcess, placeOrder } from '../../../../workflows/commerce/order/checkout.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { cancel, payAgain, place, placed, sale } from '../sales';

const page = (attemptId: string): string => `https://checkout.stripe.test/${attemptId}`;

let world: SkippingWorld;
/** The attempts whose page was requested, one entry per try. */
let calls: string[];
/** The provider's answer. */
let answers: (attemptId: string) => Promise<{ paymentUrl: string | null }>;

beforeAll(async () => {
  world = await startSkippingWorld({
    variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
    fakes: () => ({
      openPage: ({ attemptId }) => {
        calls.push(attemptId);
        return answers(attemptId);
      },
      lookUpPayments: () => Promise.resolve([]),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  calls = [];
  answers = (attemptId) => Promise.resolve({ paymentUrl: page(attemptId) });
});

test('the page is opened after the order is placed, and is in the answer', async () => {
  const sold = await placed(world);
  expect(sold.placed.payment).toMatchObject({ method: 'CARD', paymentUrl: page(sold.attemptId) });
  expect(sold.placed.payment).not.toHaveProperty('pageToOpen');
  expect(calls).toEqual([sold.attemptId]);
  const again = await payAgain(world, sold, 'EWALLET');
  expect(again.payment).toMatchObject({ method: 'EWALLET', paymentUrl: page(calls[1]!) });
  await keepHistory(sold.checkout, 'page-opened');
  await cancel(world, sold);
});

test('a request whose answer was lost gets the same page, and no second page is requested', async () => {
  const sold = await sale(world);
  const updateId = v7();
  const place = () =>
    world.processes.open(checkoutProcess, sold, placeOrder, sold.command, {
      updateId,
      ifClosed: 'CART_EMPTY',
    });
  const first = await place();
  expect(await place()).toEqual(first);
  expect(calls).toEqual([sold.attemptId]);
  await cancel(world, sold);
});

test('a company that is tried in vain is tried again at once', async () => {
  let tries = 0;
  answers = (attemptId) =>
    ++tries === 1
      ? Promise.reject(new Error('The line broke.'))
      : Promise.resolve({ paymentUrl: page(attemptId) });
  const sold = await placed(world);
  expect(sold.placed.payment.paymentUrl).toBe(page(sold.attemptId));
  expect(calls).toEqual([sold.attemptId, sold.attemptId]);
  await cancel(world, sold);
});

test('a provider that refuses: the order is placed, and the answer has no page', async () => {
  answers = () => Promise.reject(ApplicationFailure.nonRetryable('too small', 'PageRefused'));
  const sold = await placed(world);
  expect(sold.placed.payment.paymentUrl).toBeNull();
  expect(sold.placed.standing.status).toBe('PENDING_PAYMENT');
  expect(calls).toHaveLength(1);
  await keepHistory(sold.checkout, 'page-refused');
  await cancel(world, sold);
});

test('while a provider is called no one else waits: the buyer cancels, then gets the answer of checkout', async () => {
  let refuse: () => void = () => undefined;
  answers = () =>
    new Promise((_, reject) => {
      refuse = () => reject(ApplicationFailure.nonRetryable('closed', 'PageRefused'));
    });
  const sold = await sale(world);
  const placing = place(world, sold);
  await eventually(() => expect(calls).toHaveLength(1));
  expect((await cancel(world, sold)).refundStatus).toBeNull();
  refuse();
  expect(await placing).toMatchObject({
    standing: { status: 'PENDING_PAYMENT' },
    payment: { paymentUrl: null },
  });
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test.each(['BANK_TRANSFER', 'BALANCE'] as const)('by %s no page is requested', async (method) => {
  const sold = await placed(world, { method, walletMinor: 10_000 });
  expect(sold.placed.payment.paymentUrl).toBeNull();
  expect(calls).toEqual([]);
  if (method === 'BANK_TRANSFER') await cancel(world, sold);
});
