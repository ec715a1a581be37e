import { v7 } from 'uuid';
import type { FoundPayment } from '../../../../workflows/commerce/payment/found-money.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { TOP_UP_MINOR, topUpState } from '../../../support/builders/wallets/top-ups';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { asks, cancels, processOf, transfers } from './top-ups';

/** The answer of the provider when it is looked up. */
let found: FoundPayment[];
/** The top-ups whose pages were closed and looked up. */
const lookedUp: (string | undefined)[] = [];

const page = (attemptId: string): string => `https://pay.test/${attemptId}`;

const world = ownCheckedSkippingWorld({
  queues: ['interactive', ...PROVIDER_QUEUES],
  variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
  fakes: () => ({
    openPage: ({ attemptId }) => Promise.resolve({ paymentUrl: page(attemptId) }),
    lookUpPayments: ({ topUpId }) => {
      lookedUp.push(topUpId);
      return Promise.resolve(found);
    },
    sendRefund: ({ refundId }) =>
      Promise.resolve({ sentBy: 'PROVIDER' as const, providerRefundId: `of ${refundId}` }),
  }),
});

const paidBy = (attemptId: string, ...paymentIds: string[]): FoundPayment[] =>
  paymentIds.map((paymentId) => ({
    attemptId,
    report: { status: 'PAID', paymentId, amountMinor: TOP_UP_MINOR, currency: 'USD' },
  }));

test('a page that another company opens is in the answer; money found at the end pays once, the rest goes back', async () => {
  const attemptId = v7();
  found = paidBy(attemptId, 'one', 'two');
  const made = await asks(world, { attemptId, paymentMethod: 'EWALLET' });
  expect(made.opened.payment).toMatchObject({ method: 'EWALLET', paymentUrl: page(attemptId) });
  expect(made.opened.payment).not.toHaveProperty('pageToOpen');
  // Not awaited: the test server stops its clock for good when the refund ends, whose parent has ended by then.
  world.sleep('31 minutes').catch(() => undefined);
  await eventually(async () =>
    expect(await topUpState(world.db, made.userId)).toMatchObject({
      ...{ topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR, mails: ['paid'] },
      refunds: ['DUPLICATE_PAYMENT 10000 COMPLETED'],
    }),
  );
  await keepHistory(processOf(world, made), 'page-opened-money-found');
});

test('cancelled by its owner while the page is open: money paid on it meanwhile goes back at once', async () => {
  const attemptId = v7();
  found = paidBy(attemptId, 'three');
  const made = await asks(world, { attemptId });
  expect(await cancels(world, made)).toMatchObject({ status: 'CANCELLED' });
  await eventually(async () =>
    expect(await topUpState(world.db, made.userId)).toMatchObject({
      ...{ topUps: ['CANCELLED REFUNDED'], walletMinor: 0 },
      refunds: ['LATE_PAYMENT 10000 COMPLETED'],
    }),
  );
  await keepHistory(processOf(world, made), 'cancelled-money-found');
});

test('paid by a transfer while the page is open: the page is closed, and money paid on it meanwhile goes back', async () => {
  const attemptId = v7();
  found = paidBy(attemptId, 'four');
  const made = await asks(world, { attemptId });
  expect(await transfers(world, made)).toMatchObject({ status: 'PAID', outcome: 'APPLIED' });
  await eventually(async () =>
    expect(await topUpState(world.db, made.userId)).toMatchObject({
      ...{ topUps: ['PAID PAID'], walletMinor: TOP_UP_MINOR },
      refunds: ['DUPLICATE_PAYMENT 10000 COMPLETED'],
    }),
  );
  expect(lookedUp.filter((id) => id === made.topUpId)).toHaveLength(1);
  await keepHistory(processOf(world, made), 'page-left-then-paid-otherwise');
});
