import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit, webhookLimit } from '../../../../api/http/limits/limits';
import { digits } from '../../../../api/http/request/fields';
import { rows } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { ownDatabase } from '../../../support/servers/database';
import { from } from '../limits/limited';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

const database = ownDatabase();

describe('requests', () => {
  const common = {
    ...unnamed,
    limit: generalLimit,
    success: 200,
    errors: {},
  } as const;
  const Anything = z.record(z.string(), z.unknown());

  const echo = endpoint({
    ...common,
    method: 'post',
    path: '/echo/:word',
    auth: 'public',
    params: z.object({ word: z.string().max(20) }),
    query: z.object({ times: digits({ min: 1, max: 3 }).optional() }),
    body: z.object({
      name: z.string().min(2).optional(),
      items: z.array(z.object({ quantity: z.number().int().min(1) })).optional(),
      tags: z.record(z.string(), z.string()).optional(),
    }),
    data: Anything,
    handle: ({ params, query, body }) => Promise.resolve({ params, query, body }),
  });
  const bytes = endpoint({
    ...common,
    method: 'post',
    path: '/bytes',
    auth: 'public',
    raw: true,
    success: 202,
    data: Anything,
    handle: (_input, { request: { rawBody } }) => Promise.resolve({ hex: rawBody.toString('hex') }),
  });
  const endpoints = [echo, bytes];
  const server = () => serverOf({ db: database.db, endpoints });

  const post = (path = '/api/v1/echo/hi') => request(server()).post(path);
  const bodyText = (text: string | Buffer, type = 'application/json') =>
    post()
      .set('Content-Type', type)
      .serialize((raw: unknown) => raw as string)
      .send(text as string);

  describe('a request', () => {
    it('reaches the handler, without fields that the contract does not know', async () => {
      const { status, body } = await post('/api/v1/echo/hi?times=2&other=1').send({
        name: 'Ann',
        isAdmin: true,
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: { params: { word: 'hi' }, query: { times: 2 }, body: { name: 'Ann' } },
        meta: { ignored: ['other', 'isAdmin'] },
      });
    });

    it('is refused with every wrong field named by its dotted path', async () => {
      const { status, body } = await post('/api/v1/echo/a-word-that-is-far-too-long?times=many').send({
        name: 'A',
        items: [{ quantity: 1 }, { quantity: 0 }, {}],
      });
      expect(status).toBe(400);
      expect(body.success).toBe(false);
      expect(body.error.code).toBe('VALIDATION_ERROR');
      expect(Object.keys(body.error.details).sort()).toEqual([
        'items.1.quantity',
        'items.2.quantity',
        'name',
        'times',
        'word',
      ]);
      expect(body.error.details.times).toEqual(['must be a whole number']);
    });

    it('is told of a hundred wrong fields at most', async () => {
      const items = Array.from({ length: 300 }, () => ({ quantity: 0 }));
      const { body } = await post().send({ items });
      expect(Object.keys(body.error.details as object)).toHaveLength(100);
    });

    it.each([
      ['not JSON', '{"name":'],
      ['an array', '[]'],
      ['a text', '"hello"'],
      ['null', 'null'],
      ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ])('is refused when the body is %s', async (_what, text) => {
      const { status, body } = await bodyText(text);
      expect(status).toBe(400);
      expect(body.error.code).toBe('VALIDATION_ERROR');
      expect(body.error.details.body).toHaveLength(1);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'])(
      'is refused when the body is sent as %s',
      async (type) => {
        const { status, body } = await bodyText('{"name":"Ann"}', type);
        expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      },
    );

    it('may omit the body, with any content type', async () => {
      expect((await post()).status).toBe(200);
      expect((await post().set('Content-Type', 'text/plain').set('Content-Length', '0')).status).toBe(200);
    });

    it('may have a body of 1 MiB and no more', async () => {
      const sized = (size: number) => `{"other":"${'x'.repeat(size - 12)}"}`;
      expect(sized(2000)).toHaveLength(2000);
      expect((await bodyText(sized(1024 * 1024))).status).toBe(200);
      const { status, body } = await bodyText(sized(1024 * 1024 + 1));
      expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it.each([
      ['a NUL in the body', () => bodyText('{"items":[{"quantity":1,"note":"a\\u0000b"}]}'), 'items.0.note'],
      ['half a character in the body', () => bodyText('{"name":"\\ud800ab"}'), 'name'],
      ['a NUL in the path', () => post('/api/v1/echo/a%00b'), 'word'],
      ['a NUL in the query', () => post('/api/v1/echo/hi?other=a%00b'), 'other'],
    ])('is refused with %s', async (_what, send, field) => {
      const { status, body } = await send();
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'VALIDATION_ERROR',
        [field],
      ]);
    });

    it('is refused when it is nested too deeply', async () => {
      const { status, body } = await bodyText(`{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('cannot change a prototype', async () => {
      const text =
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"tags":{"__proto__":"x","a":"b"}}';
      const { status, body } = await bodyText(text);
      expect(status).toBe(200);
      expect(body.data.body).toEqual({ tags: { a: 'b' } });
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      const inQuery = await post('/api/v1/echo/hi?__proto__=1&__proto__[polluted]=1');
      expect(inQuery.status).toBe(200);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it('is refused with an invalid percent-encoding in the path', async () => {
      const { status, body } = await post('/api/v1/echo/%zz');
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('is refused when a single query parameter occurs twice', async () => {
      const { status, body } = await post('/api/v1/echo/hi?times=1&times=2');
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['times']]);
    });

    it('reaches the handler as bytes, with any content type, if the contract says so', async () => {
      const sent = Buffer.from('{"b":1, "a":\u00002}', 'latin1');
      const answer = await request(server())
        .post('/api/v1/bytes')
        .set('Content-Type', 'application/octet-stream')
        .send(sent);
      expect([answer.status, answer.body.data.hex]).toEqual([202, sent.toString('hex')]);
    });
  });
});

describe('signed reports', () => {
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
    ...unnamed,
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
});
