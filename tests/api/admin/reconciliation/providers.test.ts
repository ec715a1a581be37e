import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({
    worker: false,
    variables: { PAYMENT_PROVIDER: 'bank', PAYOUT_PROVIDER: 'stripe', STRIPE_WEBHOOK_SECRETS: '' },
  });
});
afterAll(() => desk.world.teardown());

const start = (provider: string) =>
  desk.ask('post', '/admin/reconciliation/runs', { provider, day: utcDayAgo(3) });

test('a provider that only sends money out is compared', async () => {
  expect((await start('stripe')).body.data).toMatchObject({ outcome: 'STARTED' });
});

test('404 PROVIDER_NOT_FOUND for one that is not in use, unless it was compared before', async () => {
  expect(outcomeOf(await start('sandbox'))).toBe('404 PROVIDER_NOT_FOUND');
  await make.difference(desk.world.db, { provider: 'sandbox' });
  expect((await start('sandbox')).body.data).toMatchObject({ outcome: 'STARTED' });
});
