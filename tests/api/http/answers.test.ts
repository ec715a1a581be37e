import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { z } from 'zod';
import { paging } from '../../../api/http/answer/paging';
import { TextChunks, withFirstChunk } from '../../../api/http/answer/files/text-stream';
import { endpoint } from '../../../api/http/endpoint';
import type { Auth } from '../../../api/http/handler-context';
import { generalLimit } from '../../../api/http/limits/limits';
import { digits } from '../../../api/http/request/fields';
import { execute, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from './shop';
import { unnamed } from './unnamed';

const database = ownDatabase();
const lines: string[] = [];

describe('answers', () => {
  const common = { limit: generalLimit, ...unnamed, errors: {} };
  let total = 45;
  const list = endpoint({
    ...common,
    ...{ method: 'get', path: '/list', auth: 'public', success: 200, paginated: true },
    query: z.object({ ...paging(50), color: z.string().optional() }),
    data: z.object({ input: z.object({ page: z.number(), pageSize: z.number() }) }),
    handle({ query: { page, pageSize } }, { reply }) {
      reply.page({ total, page, pageSize });
      return Promise.resolve({ input: { page, pageSize } });
    },
  });
  const shows = (['public', 'optional', 'user'] as Auth[]).map((auth) =>
    endpoint({
      ...common,
      ...{ method: 'get', path: `/${auth}`, auth, success: 200 },
      query: z.object({ value: digits({ max: 9 }).default(0) }),
      data: z.object({ value: z.number() }),
      handle: ({ query }) => Promise.resolve({ value: query.value }),
    }),
  );
  const cookie = endpoint({
    ...common,
    ...{ method: 'post', path: '/cookie', auth: 'public', success: [201, 200] },
    data: z.object({ read: z.string().nullable() }),
    handle(_input, { reply, request: { cookie: read } }) {
      reply.status(200);
      reply.setCookie('svc_region', 'EU west', { path: '/api', maxAgeSeconds: 60 });
      reply.clearCookie('old', { path: '/' });
      return Promise.resolve({ read: read('svc_region') ?? null });
    },
  });
  const server = () => serverOf({ db: database.db, endpoints: [list, ...shows, cookie], lines });
  const get = (path: string) => request(server()).get(`/api/v1${path}`);

  describe('a list', () => {
    it('has its page in `meta`, and links to other pages with the other parameters', async () => {
      const { body, headers } = await get('/list?color=dark%20red&page=2&pageSize=10');
      expect(body.meta).toEqual({
        pagination: { total: 45, page: 2, pageSize: 10, totalPages: 5, hasNext: true, hasPrevious: true },
      });
      const at = (page: number) => `</api/v1/list?color=dark+red&page=${page}&pageSize=10>`;
      expect(headers['link']).toBe(
        `${at(1)}; rel="first", ${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(5)}; rel="last"`,
      );
    });

    it('starts at page 1 with 20 rows', async () => {
      const { body, headers } = await get('/list');
      expect(body.data.input).toEqual({ page: 1, pageSize: 20 });
      expect(body.meta.pagination).toMatchObject({ totalPages: 3, hasNext: true, hasPrevious: false });
      expect(headers['link']).not.toContain('rel="prev"');
    });

    it('ends', async () => {
      const last = await get('/list?page=3');
      expect(last.body.meta.pagination).toMatchObject({ hasNext: false, hasPrevious: true });
      expect(last.headers['link']).not.toContain('rel="next"');
      const past = await get('/list?page=9');
      expect(past.body.meta.pagination).toMatchObject({ page: 9, hasNext: false, hasPrevious: true });
      expect(past.headers['link']).toContain('page=3&pageSize=20>; rel="prev"');
      total = 0;
      const empty = await get('/list');
      total = 45;
      expect(empty.body.meta.pagination).toMatchObject({
        total: 0,
        totalPages: 0,
        hasNext: false,
        hasPrevious: false,
      });
    });

    it.each([
      ['page', '0'],
      ['page', '-1'],
      ['page', ''],
      ['page', '1.5'],
      ['page', '1e3'],
      ['page', '99999999999999999999'],
      ['pageSize', '0'],
      ['pageSize', '51'],
      ['pageSize', 'all'],
    ])('is refused with %s=%s', async (name, value) => {
      const { status, body } = await get(`/list?${name}=${value}`);
      expect([status, Object.keys(body.error.details)]).toEqual([400, [name]]);
    });

    it('may have as many rows per page as the contract says', async () => {
      expect((await get('/list?pageSize=50')).body.data.input.pageSize).toBe(50);
    });
  });

  describe('caching', () => {
    it('is allowed for public answers to callers without a token, with revalidation', async () => {
      for (const path of ['/public', '/optional']) {
        const first = await get(path);
        const { etag = '' } = first.headers;
        expect(etag).toMatch(/^W\/"[^"]+"$/);
        expect(first.headers['cache-control']).toBe('public, no-cache');
        expect(first.headers['vary']).toContain('Authorization');
        const same = await get(path).set('If-None-Match', etag);
        expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', etag]);
        const changed = await get(`${path}?value=1`).set('If-None-Match', etag);
        expect([changed.status, changed.body.data.value]).toEqual([200, 1]);
      }
    });

    it.each([
      ['an answer to a token', () => get('/optional').set('Authorization', 'Bearer u')],
      ['an answer to a bad token', () => get('/public').set('Authorization', 'Bearer bad')],
      ['an answer to a cookie', () => get('/optional').set('Cookie', 'svc_access_token=u')],
      ['an answer that requires a token', () => get('/user').set('Authorization', 'Bearer u')],
      ['a refusal', () => get('/public?value=many')],
      ['a missing page', () => get('/nothing')],
      ['an answer to a POST', () => request(server()).post('/api/v1/cookie').send({})],
    ])('is not %s', async (_what, ask) => {
      const { headers } = await ask();
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['etag']).toBeUndefined();
    });
  });

  describe('cookies', () => {
    it('are HttpOnly and SameSite, and are read back', async () => {
      const answer = await request(server())
        .post('/api/v1/cookie')
        .set('Cookie', 'x=1; svc_region=EU%20west')
        .send({});
      expect([answer.status, answer.body.data.read]).toEqual([200, 'EU west']);
      const [set = '', cleared = ''] = answer.headers['set-cookie'] as unknown as string[];
      expect(set).toMatch(
        /^svc_region=EU%20west; Max-Age=60; Path=\/api; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(cleared).toMatch(
        /^old=; Path=\/; Expires=Thu, 01 Jan 1970[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      );
    });
  });

  describe('a request id', () => {
    it('is used if it is valid, else created; it is sent and logged', async () => {
      expect((await get('/public').set('X-Request-Id', 'abc-123.X:y')).headers['x-request-id']).toBe(
        'abc-123.X:y',
      );
      for (const bad of ['x'.repeat(101), 'a b', '{"a":1}', '-a', 'ä'])
        expect((await get('/public').set('X-Request-Id', encodeURI(bad))).headers['x-request-id']).toMatch(
          /^[0-9a-f-]{36}$/,
        );
      lines.length = 0;
      const { headers } = await get('/nothing');
      expect(JSON.parse(lines.at(-1) ?? '{}').requestId).toBe(headers['x-request-id']);
    });
  });

  describe('the log', () => {
    it('has the caller, the request and the outcome, and no secret', async () => {
      lines.length = 0;
      await get('/optional?value=1&token=SECRET1')
        .set('Authorization', 'Bearer anna')
        .set('Cookie', 'svc_refresh_token=SECRET2')
        .set('X-Api-Key', 'SECRET3');
      await request(server()).post('/api/v1/cookie').send({ password: 'SECRET4' });
      expect(lines).toHaveLength(2);
      expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
        level: 'info',
        msg: 'answered',
        method: 'GET',
        route: '/optional',
        path: '/api/v1/optional',
        status: 200,
        userId: 'anna',
        clientAddress: '127.0.0.1',
      });
      expect((lines[0] ?? '').match(/"status":/g)).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '{}').durationMs).toEqual(expect.any(Number));
      expect(lines.join('')).not.toContain('SECRET');
      expect(lines.join('')).not.toContain('Bearer');
      expect(lines.join('')).not.toContain('EU');
    });
  });
});

describe('failures', () => {
  const common = {
    ...{ ...unnamed, limit: generalLimit, success: 200 as const, errors: {} },
  } as const;
  const shows = (['get', 'post'] as const).map((method) =>
    endpoint({
      ...common,
      ...{ method, path: '/echo/:word', auth: 'public' },
      data: z.object({}),
      handle: () => Promise.resolve({}),
    }),
  );
  const deadlocked = (tx: Tx) =>
    execute(tx, `DO 'BEGIN RAISE EXCEPTION ''no'' USING ERRCODE = ''40P01''; END'`);
  const always = endpoint({
    ...common,
    method: 'get',
    path: '/always/:what',
    auth: 'public',
    errors: { ORDER_NOT_FOUND: 404 },
    params: z.object({ what: z.string() }),
    data: z.object({ price: z.number() }),
    async handle({ params }) {
      if (params.what === 'declared') throw refusal('ORDER_NOT_FOUND', 'No such order.');
      if (params.what === 'undeclared') throw refusal('CART_EMPTY', 'inner detail');
      if (params.what === 'contended') await inTransaction(database.db, deadlocked);
      if (params.what === 'broken') throw new Error('inner detail');
      return { price: 'inner detail', secret: 'x' } as unknown as { price: number };
    },
  });
  /** A path that also matches `/echo/:word`, listed after it. */
  const literal = endpoint({
    ...common,
    ...{ method: 'put', path: '/echo/aloud', auth: 'public' },
    data: z.object({ aloud: z.boolean() }),
    handle: () => Promise.resolve({ aloud: true }),
  });
  const server = () => serverOf({ db: database.db, endpoints: [...shows, literal, always], lines });

  describe('paths', () => {
    it.each(['/api/v1/nothing', '/nothing', '/api/v1', '/api/v1/echo', '/api/v2/echo/hi'])(
      '%s is nothing: 404',
      async (path) => {
        const { status, body } = await request(server()).get(path);
        expect([status, body.success, body.error.code]).toEqual([404, false, 'NOT_FOUND']);
      },
    );

    it.each(['put', 'delete', 'patch', 'trace'] as const)('refuse %s with 405', async (method) => {
      const answer = await request(server())[method]('/api/v1/echo/hi');
      expect(answer.status).toBe(405);
      expect(answer.body.error.code).toBe('METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    });

    it('match once: a literal path does not answer methods of a pattern that matches it too', async () => {
      const named = await request(server()).put('/api/v1/echo/aloud');
      expect([named.status, named.body.data]).toEqual([200, { aloud: true }]);
      for (const method of ['get', 'post', 'delete'] as const) {
        const { status, headers } = await request(server())[method]('/api/v1/echo/aloud');
        expect([status, headers['allow']]).toEqual([405, 'PUT']);
      }
    });

    it('answer HEAD as GET, without the body', async () => {
      const answer = await request(server()).head('/api/v1/echo/hi');
      expect([answer.status, answer.text]).toEqual([200, undefined]);
    });
  });

  describe('errors', () => {
    it('have the code and the status that the contract declares', async () => {
      const { status, body } = await request(server()).get('/api/v1/always/declared');
      expect(status).toBe(404);
      expect(body).toEqual({ success: false, error: { code: 'ORDER_NOT_FOUND', message: 'No such order.' } });
    });

    it('is a 503 that may be repeated when other work was in its way to the last try', async () => {
      const { status, body, headers } = await request(server()).get('/api/v1/always/contended');
      expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
    });

    it.each(['undeclared', 'broken', 'not as the contract says'])(
      'is a 500 without inner detail, but logged, when it is %s',
      async (what) => {
        lines.length = 0;
        const answer = await request(server()).get(`/api/v1/always/${encodeURIComponent(what)}`);
        expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
        expect(answer.text).not.toContain('inner detail');
        expect(answer.text).not.toContain('secret');
        const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a request failed');
        expect(failure.requestId).toBe(answer.headers['x-request-id']);
        expect(failure.err.stack).toMatch(/^ +at /);
      },
    );
  });
});

describe('text as a stream', () => {
  /** The number of consumed chunks, and the state of the generator. */
  const consumed = { chunks: 0, ended: false };

  async function* counted(upTo: number, failing: number | null): AsyncGenerator<string> {
    try {
      for (let n = 1; n <= upTo; n++) {
        if (n === failing) throw n === 1 ? refusal('CART_EMPTY', 'Nothing there.') : new Error('Lost.');
        consumed.chunks = n;
        await Promise.resolve();
        yield `${n},${'x'.repeat(10_000)}\n`;
      }
    } finally {
      consumed.ended = true;
    }
  }

  let wanted: [upTo: number, failing: number | null] = [0, null];
  const file = endpoint({
    ...unnamed,
    ...{ method: 'get', path: '/file', auth: 'public', limit: generalLimit },
    success: 200,
    produces: 'text/csv',
    data: TextChunks,
    errors: { CART_EMPTY: 400 },
    handle(_input, { reply }) {
      reply.download('things.csv');
      return Promise.resolve(counted(...wanted));
    },
  });

  const server = () => serverOf({ db: database.db, endpoints: [file], lines });
  beforeEach(() => {
    lines.length = 0;
    Object.assign(consumed, { chunks: 0, ended: false });
  });

  test('chunks arrive in order, as one file to save', async () => {
    wanted = [300, null];
    const { status, headers, text } = await request(server()).get('/api/v1/file');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename=things.csv');
    expect(text.lastIndexOf('\uFEFF')).toBe(0);
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => Number.parseInt(line, 10)),
    ).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  });

  test('no chunks make an empty file', async () => {
    wanted = [0, null];
    const { status, text } = await request(server()).get('/api/v1/file');
    expect([status, text]).toEqual([200, '']);
  });

  test('HEAD makes no chunk', async () => {
    wanted = [3, null];
    expect((await request(server()).head('/api/v1/file')).status).toBe(200);
    expect(consumed.chunks).toBe(0);
  });

  test('who stops before the first chunk is read ends the making of them', async () => {
    const chunks = await withFirstChunk(counted(3, null));
    await chunks[Symbol.asyncIterator]().return?.();
    expect(consumed).toEqual({ chunks: 1, ended: true });
  });

  test('a failure before the first chunk is answered as an error', async () => {
    wanted = [1, 1];
    const { status, headers, body } = await request(server()).get('/api/v1/file');
    expect([status, body.error.code]).toEqual([400, 'CART_EMPTY']);
    expect(headers['content-disposition']).toBeUndefined();
  });

  test('a later failure cuts the connection, so that the caller cannot take the part for the whole', async () => {
    wanted = [5, 4];
    await expect(request(server()).get('/api/v1/file')).rejects.toThrow('aborted');
    expect(lines.join()).toContain('an answer broke off');
  });

  test('after the caller hangs up, no further chunk is made', async () => {
    wanted = [100_000, null];
    const listening = server().listen(0);
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const request = get({ port, path: '/api/v1/file' }, (answer) => {
      answer.once('data', () => request.destroy());
    });
    request.on('error', () => undefined);
    await eventually(() => expect(consumed.ended).toBe(true));
    expect(consumed.chunks).toBeLessThan(10_000);
    listening.close();
  });
});
