import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { webhookLimit } from '../../../../api/http/limits/limits';
import { refusal } from '../../../../workflows/errors';
import { rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { from } from '../limits/limited';
import { serverOf } from '../shop';

const database = ownDatabase();
const handled: string[] = [];
let verified = 0;
beforeEach(() => {
  handled.length = 0;
  verified = 0;
});

/** `alpha` and `beta` sign by a header that says so. */
const report = endpoint({
  method: 'post',
  path: '/hooks/:sender',
  auth: 'public',
  limit: webhookLimit,
  idempotent: false,
  raw: true,
  summary: 's',
  tag: 't',
  params: z.object({ sender: z.string().max(20) }),
  success: 200,
  data: z.object({}),
  errors: { PROVIDER_NOT_FOUND: 404, INVALID_SIGNATURE: 401 },
  sender({ sender }) {
    if (!['alpha', 'beta'].includes(sender)) throw refusal('PROVIDER_NOT_FOUND', 'Unknown sender.');
    return {
      name: sender,
      isSigned: ({ header }) => {
        verified++;
        return header('signature') === `by ${sender}`;
      },
    };
  },
  handle({ params }, { request: { rawBody } }) {
    handled.push(`${params.sender} ${rawBody.toString()}`);
    return Promise.resolve({});
  },
});

const app = (settings: Record<string, string> = {}, policy = {}) =>
  serverOf({
    db: database.db,
    endpoints: [report],
    settings: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1', ...settings },
    policy: { POLICY_WEBHOOKS_PER_MINUTE: '30', POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: '3', ...policy },
  });
type App = ReturnType<typeof app>;

/** Sends reports concurrently and counts their answers by status. */
async function send(server: App, path: string, times: number, headers: Record<string, string> = {}) {
  const one = () => request(server).post(`/api/v1/hooks/${path}`).set(headers).send('{}');
  const answers = await Promise.all(Array.from({ length: times }, one));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, answers };
}
const by = (sender: string) => ({ signature: `by ${sender}` });
beforeEach(() => rows(database.db, 'DELETE FROM rate_limits'));

it('signed reports are counted for their sender, by all processes together and from all networks', async () => {
  const [one, two] = [app(), app()];
  expect((await send(one, 'alpha', 20, { ...by('alpha'), ...from('192.0.2.1') })).statuses).toEqual({
    200: 20,
  });
  const { statuses } = await send(two, 'alpha', 20, { ...by('alpha'), ...from('192.0.2.2') });
  expect(statuses).toEqual({ 200: 10, 429: 10 });
  expect((await send(two, 'beta', 20, by('beta'))).statuses).toEqual({ 200: 20 });
});

it('an answer has the limit of the sender in its headers', async () => {
  const [{ headers }] = (await send(app(), 'alpha', 1, by('alpha'))).answers as [request.Response];
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '29' });
});

it('a flood of unsigned reports does not block signed ones, even from the same address', async () => {
  const server = app();
  const flood = await send(server, 'alpha', 100);
  expect(flood.statuses).toEqual({ 401: 3, 429: 97 });
  const refused = flood.answers.find(({ status }) => status === 429)!;
  expect(refused.headers).toMatchObject({
    'x-ratelimit-limit': '3',
    'retry-after': expect.any(String) as string,
  });
  expect((await send(server, 'alpha', 30, by('alpha'))).statuses).toEqual({ 200: 30 });
  expect(handled).toHaveLength(30);
});

it('reports that fail count for the network that sent them', async () => {
  const server = app();
  expect((await send(server, 'alpha', 5, from('192.0.2.1'))).statuses).toEqual({ 401: 3, 429: 2 });
  expect((await send(server, 'alpha', 3, from('192.0.2.2'))).statuses).toEqual({ 401: 3 });
});

it('a sender that does not exist is 404 before anything is counted', async () => {
  const server = app();
  const { statuses, answers } = await send(server, 'gamma', 50);
  expect(statuses).toEqual({ 404: 50 });
  expect(answers[0]!.headers['x-ratelimit-limit']).toBeUndefined();
  expect(await rows(database.db, 'SELECT key FROM rate_limits')).toEqual([]);
  expect((await send(server, 'alpha', 3)).statuses).toEqual({ 401: 3 });
});

it('the size of a body is limited before its signature is verified', async () => {
  const big = Buffer.alloc(1024 * 1024 + 1, 'x');
  const { status, body } = await request(app()).post('/api/v1/hooks/alpha').set(by('alpha')).send(big);
  expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(handled).toEqual([]);
});

describe('a network that has sent too many unsigned reports', () => {
  const large = Buffer.alloc(100_000, 'x');
  const post = (server: App, body: Buffer, headers: Record<string, string>) =>
    request(server).post('/api/v1/hooks/alpha').set(headers).send(body);
  const serverFloodedBy = async (network: Record<string, string>) => {
    const server = app();
    await send(server, 'alpha', 3, network);
    verified = 0;
    return server;
  };

  it('is refused large bodies unread and unverified, signed or not', async () => {
    const network = from('192.0.2.1');
    const server = await serverFloodedBy(network);
    for (const headers of [network, { ...network, ...by('alpha') }]) {
      const refused = await post(server, large, headers);
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '0',
        'retry-after': expect.any(String) as string,
      });
    }
    expect(verified).toBe(0);
    expect((await post(server, large, { ...from('192.0.2.2'), ...by('alpha') })).status).toBe(200);
  });

  it('may still send signed reports of usual size', async () => {
    const network = from('192.0.2.1');
    const server = await serverFloodedBy(network);
    const { status } = await post(server, large.subarray(0, 60_000), { ...network, ...by('alpha') });
    expect([status, verified]).toEqual([200, 1]);
  });

  it('may send large signed reports before that', async () => {
    const server = app();
    await send(server, 'alpha', 2, from('192.0.2.1'));
    expect((await post(server, large, { ...from('192.0.2.1'), ...by('alpha') })).status).toBe(200);
  });
});

it('the exemption applies to that endpoint only', async () => {
  const server = app();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => request(server).get('/api/v1/hooks/alpha')),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

it('a contract has sender, limit and raw together or none of them', () => {
  const sender = () => ({ name: 'a', isSigned: () => true });
  const half = { ...report, success: 200, handle: () => Promise.resolve({}) } as const;
  expect(() => endpoint({ ...half, limit: { requests: 1, perSeconds: 1 }, sender })).toThrow('sender');
  expect(() => endpoint({ ...half, raw: false, sender })).toThrow('sender');
});
