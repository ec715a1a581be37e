import { startWorld, type World } from '../../support/worlds/world';
import { coming, report } from '../payments/webhooks/sending';
import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';

let world: World;
beforeAll(async () => {
  const variables = {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_WEBHOOK_SECRETS: 'whsec_something',
    SANDBOX_SECRET: coming,
  };
  world = await startWorld({ worker: false, variables });
});
afterAll(() => world.teardown());

test('where another provider takes payments, nothing of the sandbox is served', async () => {
  const page = await world.http.get(`/sandbox/payments/${v7()}`);
  expect([page.status, page.body.error.code]).toEqual([404, 'NOT_FOUND']);
  const [id, at, body] = [v7(), new Date(), JSON.stringify(report)];
  const sent = await world.http
    .post('/api/v1/payments/webhooks/sandbox')
    .set({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(coming).sign(id, at, body),
    })
    .send(body);
  expect([sent.status, sent.body.error.code]).toEqual([404, 'PROVIDER_NOT_FOUND']);
  expect((await world.http.post('/api/v1/payments/webhooks/stripe').send('{}')).status).toBe(401);
});
