import { anotherProcess } from '../another-process';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

const stripe = {
  NODE_ENV: 'production',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_WEBHOOK_SECRETS: 'whsec_1',
};

test.each([
  ['development', {}, [true, true]],
  ['production that sells through Stripe', stripe, [false, false]],
  [
    'production that sells through the sandbox, as it is allowed to',
    { ...stripe, PAYMENT_PROVIDER: 'sandbox', ALLOW_SANDBOX_PAYMENTS: 'true' },
    [true, true],
  ],
])('%s: whether the sandbox’s pages and reports are served', async (_name, variables, served) => {
  const { http, close } = anotherProcess(world, variables);
  const page = await http.get('/sandbox/payments/x');
  const report = await http.post('/api/v1/payments/webhooks/sandbox').send({});
  await close();
  const code = (report.body as { error: { code: string } }).error.code;
  expect([page.status === 403, code !== 'PROVIDER_NOT_FOUND']).toEqual(served);
});
