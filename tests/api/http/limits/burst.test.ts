import { Router } from 'express';
import request from 'supertest';
import { ownDatabase } from '../../../support/servers/database';
import { from } from './limited';
import { serverOf } from '../shop';

const database = ownDatabase();
let reached = 0;
const page = Router().use((_req, res) => {
  reached++;
  res.send('here');
});
const server = () =>
  serverOf({
    db: database.db,
    endpoints: [],
    extras: [{ path: '/extra', handler: page }],
    settings: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' },
  });
beforeEach(() => void (reached = 0));

test('the burst tier also limits what is served in addition to the endpoints', async () => {
  const app = server();
  const ask = (address: string) => request(app).get('/extra/page').set(from(address));
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask('192.0.2.1')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(reached).toBe(60 - refused.length);
  expect(refused.length).toBeGreaterThanOrEqual(20); // A new second may begin meanwhile, and another.
  expect(refused[0]!.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
  expect(refused[0]!.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '10' });
  expect((await ask('192.0.2.2')).status).toBe(200);
});

test('a token gives no separate count there', async () => {
  const app = server();
  const ask = (user: number) => request(app).get('/extra/page').set('Authorization', `Bearer user-${user}`);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, user) => ask(user)));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
});
