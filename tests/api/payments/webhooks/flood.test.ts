import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { startWorld, type World } from '../../../support/worlds/world';
import { current, report } from './sending';

let world: World;
beforeAll(async () => {
  const variables = {
    RATE_LIMIT_SCALE: '1',
    SANDBOX_SECRET: current,
    POLICY_WEBHOOKS_PER_MINUTE: '40',
    POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: '5',
  };
  world = await startWorld({ worker: false, variables });
});
afterAll(() => world.teardown());

const send = (provider: string, headers: Record<string, string>, body = '{}') =>
  world.http
    .post(`/api/v1/payments/webhooks/${provider}`)
    .set({ 'content-type': 'application/json', ...headers })
    .send(body)
    .then(({ status }) => status);

function signed(): Promise<number> {
  const [id, at, body] = [v7(), new Date(), JSON.stringify(report)];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(current).sign(id, at, body),
  };
  return send('sandbox', headers, body);
}

const many = (times: number, one: () => Promise<number>) => Promise.all(Array.from({ length: times }, one));
const count = (statuses: number[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('a flood of unsigned reports, also from the provider’s own address, keeps no signed one out', async () => {
  const [forged, unknown, genuine] = await Promise.all([
    many(150, () => send('sandbox', {})),
    many(50, () => send('nobody', {})),
    many(40, signed),
  ]);
  expect(count(forged)).toEqual({ 401: 5, 429: 145 });
  expect(count(unknown)).toEqual({ 404: 50 });
  expect(count(genuine)).toEqual({ 202: 40 });
  expect(await signed()).toBe(429);
});
