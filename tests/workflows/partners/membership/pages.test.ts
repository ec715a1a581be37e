import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import type { FoundPayment } from '../../../../workflows/commerce/payment/found-money.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { membershipState } from '../../../support/builders/partnering/joining';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { FEE_MINOR, joins, processOf, transfers } from './entrances';

/** The answer of the provider at the end of the payment window. */
let found: FoundPayment[];
/** The entrance fees whose pages were closed and looked up. */
const lookedUp: (string | undefined)[] = [];

/** True while the provider opens no page. */
let isAway = false;

const page = (attemptId: string): string => `https://pay.test/${attemptId}`;

const world = ownCheckedSkippingWorld({
  queues: ['interactive', ...PROVIDER_QUEUES],
  variables: {
    ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
    PARTNER_ENTRANCE_FEE: '49.90',
  },
  fakes: () => ({
    openPage: ({ attemptId }) =>
      isAway
        ? Promise.reject(ApplicationFailure.nonRetryable('away'))
        : Promise.resolve({ paymentUrl: page(attemptId) }),
    lookUpPayments: ({ entranceId }) => {
      lookedUp.push(entranceId);
      return Promise.resolve(found);
    },
    sendRefund: ({ refundId }) =>
      Promise.resolve({ sentBy: 'PROVIDER' as const, providerRefundId: `of ${refundId}` }),
  }),
});

test('a page that was not opened in time is replaced by that of a new attempt', async () => {
  const { id: userId } = await make.user(world.db);
  found = [];
  isAway = true;
  const first = await joins(world, userId);
  expect(first.payment?.paymentUrl).toBeNull();
  isAway = false;
  await world.sleep('6 minutes');
  const attemptId = v7();
  const { payment } = await joins(world, userId, { attemptId });
  expect(payment).toMatchObject({ method: 'CARD', paymentUrl: page(attemptId) });
  expect(await membershipState(world.db, userId)).toMatchObject({
    ...{ entrances: ['PENDING_PAYMENT PENDING'], attempts: ['CARD CANCELLED', 'CARD PENDING'] },
  });
});

test('a page that another company opens is in the answer; money found at the end pays once, the rest goes back', async () => {
  const { id: userId } = await make.user(world.db);
  const attemptId = v7();
  found = ['one', 'two'].map((paymentId) => ({
    attemptId,
    report: { status: 'PAID', paymentId, amountMinor: FEE_MINOR, currency: 'USD' },
  }));
  const { payment } = await joins(world, userId, { attemptId });
  expect(payment).toMatchObject({ method: 'CARD', paymentUrl: page(attemptId) });
  expect(payment).not.toHaveProperty('pageToOpen');
  // Not awaited: the test server stops its clock for good when the refund ends, whose parent has ended by then.
  world.sleep('31 minutes').catch(() => undefined);
  await eventually(async () =>
    expect(await membershipState(world.db, userId)).toMatchObject({
      ...{ partner: 'ACTIVE', entrances: ['PAID PAID'], mails: ['joined'] },
      ...{ refunds: ['DUPLICATE_PAYMENT 4990 COMPLETED'], events: ['entrance.paid', 'partner.joined'] },
    }),
  );
  await keepHistory(processOf(world, userId), 'page-opened-money-found');
});

test.each(['BALANCE', 'transfer'])(
  'paid by %s while the page is open: the page is closed, and money paid on it meanwhile goes back',
  async (how) => {
    const { id: userId } = await make.user(world.db);
    const [entranceId, attemptId] = [v7(), v7()];
    found = [
      {
        attemptId,
        report: { status: 'PAID', paymentId: v7(), amountMinor: FEE_MINOR, currency: 'USD' },
      },
    ];
    await joins(world, userId, { entranceId, attemptId });
    if (how === 'BALANCE') {
      await make.money(world.db, userId, FEE_MINOR);
      expect((await joins(world, userId, { paymentMethod: 'BALANCE' })).standing.status).toBe('JOINED');
    } else expect(await transfers(world, userId)).toMatchObject({ outcome: 'APPLIED' });
    await eventually(async () =>
      expect(await membershipState(world.db, userId)).toMatchObject({
        ...{ partner: 'ACTIVE', entrances: ['PAID PAID'], refunds: ['DUPLICATE_PAYMENT 4990 COMPLETED'] },
      }),
    );
    expect(lookedUp.filter((id) => id === entranceId)).toHaveLength(1);
    if (how === 'BALANCE') await keepHistory(processOf(world, userId), 'page-left-then-paid-otherwise');
  },
);
