import { v7 } from 'uuid';
import type { FoundPayment } from '../../../../workflows/commerce/payment/found-money.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { investmentState } from '../../../support/builders/investing/invested';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { holds } from './participations';

/** The answer of the provider at the end of the payment window. */
let found: FoundPayment[];

const page = (attemptId: string): string => `https://pay.test/${attemptId}`;

const world = ownCheckedSkippingWorld({
  queues: ['interactive', ...PROVIDER_QUEUES],
  variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
  fakes: () => ({
    openPage: ({ attemptId }) => Promise.resolve({ paymentUrl: page(attemptId) }),
    lookUpPayments: () => Promise.resolve(found),
    sendRefund: ({ refundId }) =>
      Promise.resolve({ sentBy: 'PROVIDER' as const, providerRefundId: `of ${refundId}` }),
  }),
});

test('a page that another company opens is in the answer; money found at the end pays once, the rest goes back', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const attemptId = v7();
  found = ['one', 'two'].map((paymentId) => ({
    attemptId,
    report: { status: 'PAID', paymentId, amountMinor: 1_000_00, currency: 'USD' },
  }));
  const held = await holds(world, { strategyId, paymentMethod: 'CARD', attemptId });
  expect(held.opened.payment).toMatchObject({ method: 'CARD', paymentUrl: page(attemptId) });
  expect(held.opened.payment).not.toHaveProperty('pageToOpen');
  await world.sleep('31 minutes');
  await eventually(async () =>
    expect(await investmentState(world.db, held.participationId)).toMatchObject({
      participation: 'ACTIVE PAID',
      refunds: ['DUPLICATE_PAYMENT 100000 COMPLETED'],
    }),
  );
  await keepHistory(held.process, 'page-opened-money-found');
});
