import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import { paging } from '../../../../api/http/answer/paging';
import { holdsMoreValues } from '../../../../api/http/body/json-values';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit, perMinute } from '../../../../api/http/limits/limits';
import { text } from '../../../../api/http/request/fields';
import { REQUEST_TIMEOUT_MS, serve, type Serving } from '../../../../api/http/serve';
import { fastest } from '../../../support/cost/fastest';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import { gate, serverOf } from '../shop';
import { unnamed } from '../unnamed';

const database = ownDatabase();

const MEGABYTE = 1024 * 1024;
const common = {
  method: 'post',
  tag: 't',
  auth: 'user',
  limit: generalLimit,
  success: 200,
  errors: {},
} as const;
const done = z.object({ bytes: z.number() });
const upload = endpoint({
  ...common,
  path: '/upload',
  ...unnamed,
  idempotent: false,
  upload: { field: 'file', maxBytes: 5 * MEGABYTE },
  data: done,
  handle: (_input, { request }) => Promise.resolve({ bytes: request.file.length }),
});
const json = endpoint({
  ...common,
  path: '/json',
  ...unnamed,
  idempotent: false,
  data: done,
  handle: () => Promise.resolve({ bytes: 0 }),
});

const FORM = 'multipart/form-data; boundary=b';
const form = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n',
);
const large = JSON.stringify({ text: 'x'.repeat(100_000) });
const sendTo = (port: number, path: string, client: string, type: string, body: Buffer | string) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client}`, 'content-type': type },
    body,
  });

describe('bounds', () => {
  const common = {
    ...unnamed,
    auth: 'public',
    success: 200,
    errors: {},
  } as const;

  const take = endpoint({
    ...common,
    method: 'post',
    path: '/take',
    limit: generalLimit,
    body: z.object({ name: z.string().optional() }),
    data: z.object({ name: z.string().nullable() }),
    handle: ({ body }) => Promise.resolve({ name: body.name ?? null }),
  });
  const takeMany = endpoint({
    ...common,
    method: 'post',
    path: '/take-many',
    limit: generalLimit,
    mostValues: 20_000,
    body: z.object({ ids: z.array(z.number()) }),
    data: z.object({ count: z.number() }),
    handle: ({ body }) => Promise.resolve({ count: body.ids.length }),
  });
  const list = endpoint({
    ...common,
    method: 'get',
    path: '/list',
    limit: perMinute(100),
    query: z.object({ ...paging(50), search: text({ max: 200 }).optional() }),
    data: z.object({}),
    paginated: true,
    handle({ query: { page, pageSize } }, { reply }) {
      reply.page({ total: 100, page, pageSize });
      return Promise.resolve({});
    },
  });
  const server = () => serverOf({ db: database.db, endpoints: [take, takeMany, list] });

  const post = (body: string | Buffer, headers: Record<string, string> = {}, path = '/take') =>
    request(server())
      .post(`/api/v1${path}`)
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((raw: unknown) => raw as string)
      .send(body as string);
  const codeOf = ({ status, body }: request.Response) => [status, body.error?.code];
  const zeros = (count: number) => `[${Array<number>(count).fill(0).join(',')}]`;

  /** The number of values in a JSON text, itself included. */
  const countOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 1)
      : 1;

  describe('a body', () => {
    it('may have 10,000 values and no more', async () => {
      // The object and its array count as two of them.
      expect((await post(`{"other":${zeros(9_998)}}`)).status).toBe(200);
      expect(codeOf(await post(`{"other":${zeros(9_999)}}`))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('may have more values if the contract says so', async () => {
      expect((await post(`{"ids":${zeros(15_000)}}`, {}, '/take-many')).body.data).toEqual({ count: 15_000 });
      expect(codeOf(await post(`{"ids":${zeros(20_000)}}`, {}, '/take-many'))).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ]);
    });

    it('of a megabyte of values is refused before it is parsed', async () => {
      const body = Buffer.from(`{"a":[${'0,'.repeat(520_000)}0]}`);
      expect(holdsMoreValues(body, 10_000)).toBe(true);
      const parsingMs = await fastest(() => JSON.parse(body.toString()) as unknown);
      expect(await fastest(() => holdsMoreValues(body, 10_000))).toBeLessThan(parsingMs / 5);
      expect(codeOf(await post(body))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(codeOf(await post(Buffer.from('['.repeat(1_000_000))))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('may be compressed', async () => {
      const compressed = gzipSync(
        JSON.stringify({ name: 'Ann', note: 'Some words of a person. '.repeat(2_000) }),
      );
      expect((await post(compressed, { 'Content-Encoding': 'GZIP' })).body.data).toEqual({ name: 'Ann' });
    });

    it('that is compressed more than any ordinary request is refused, long before it reaches a megabyte', async () => {
      const compressed = gzipSync(`{"name":"${'x'.repeat(500_000)}"}`);
      expect(compressed.length).toBeLessThan(1_000);
      expect(codeOf(await post(compressed, { 'Content-Encoding': 'gzip' }))).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ]);
    });

    it('that exceeds a megabyte after decompression is refused', async () => {
      const words = Array.from({ length: 120_000 }, (_, i) => (i * 2_654_435_761).toString(36)).join(' ');
      const compressed = gzipSync(JSON.stringify({ words }));
      expect(compressed.length).toBeLessThan(1024 * 1024);
      expect(codeOf(await post(compressed, { 'Content-Encoding': 'gzip' }))).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ]);
    });

    it.each(['gzip', 'deflate', 'br'])(
      'that is not %s, although it says so, is refused',
      async (encoding) => {
        expect(codeOf(await post('{"name":"Ann"}', { 'Content-Encoding': encoding }))).toEqual([
          400,
          'VALIDATION_ERROR',
        ]);
      },
    );

    it('with an unknown Content-Encoding is refused', async () => {
      expect(codeOf(await post('{}', { 'Content-Encoding': 'compress' }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    });
  });

  test('values are counted as JSON.parse finds them, in any spelling', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        const value = JSON.parse(json) as unknown;
        const bytes = Buffer.from(JSON.stringify(value, null, space));
        const count = countOf(value);
        expect([holdsMoreValues(bytes, count), holdsMoreValues(bytes, count - 1)]).toEqual([false, true]);
      }),
      { numRuns: 500 },
    );
  });

  describe('a query', () => {
    const get = (query: string) => request(server()).get(`/api/v1/list?${query}`);

    it('may have 4 kB and no more', async () => {
      const sized = (size: number) => `other=${'x'.repeat(size - 6)}`;
      expect((await get(sized(4_096))).status).toBe(200);
      const refused = await get(sized(4_097));
      expect(codeOf(refused)).toEqual([414, 'URI_TOO_LONG']);
      expect(refused.body.success).toBe(false);
    });

    it('that is too long is refused at any path', async () => {
      const long = `?${'x'.repeat(5_000)}`;
      expect(codeOf(await request(server()).get(`/nothing${long}`))).toEqual([414, 'URI_TOO_LONG']);
      expect(codeOf(await request(server()).post(`/api/v1/take${long}`))).toEqual([414, 'URI_TOO_LONG']);
    });

    it('is repeated in Link with the parameters of the contract only, each once', async () => {
      const { headers } = await get('other=1&search=red%20shoe&page=2&utm_source=x&pageSize=10&other=2');
      expect(headers['link']!.split(', ')).toEqual([
        '</api/v1/list?search=red+shoe&page=1&pageSize=10>; rel="first"',
        '</api/v1/list?search=red+shoe&page=1&pageSize=10>; rel="prev"',
        '</api/v1/list?search=red+shoe&page=3&pageSize=10>; rel="next"',
        '</api/v1/list?search=red+shoe&page=10&pageSize=10>; rel="last"',
      ]);
    });
  });
});

describe('memory of bodies', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await serve(serverOf({ db: database.db, endpoints: [upload, json] }), 0);
  });
  afterAll(() => serving.drain(0));

  const stalled: ClientRequest[] = [];
  afterEach(() => {
    for (const request of stalled.splice(0)) request.destroy();
  });

  /** Announces a body without sending it; answers the response, if there is one. */
  function stall(path: string, client: string, headers: Record<string, string>) {
    const request = httpRequest({
      port: serving.port,
      path: `/api/v1${path}`,
      method: 'POST',
      headers: { authorization: `Bearer ${client}`, ...headers },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    stalled.push(request);
    const answered = once(request, 'response').then(([answer]) => answer as IncomingMessage);
    answered.catch(() => undefined);
    return answered;
  }

  const send = (path: string, client: string, type: string, body: Buffer | string) =>
    sendTo(serving.port, path, client, type, body);

  describe('uploads that are announced and never sent', () => {
    const announce = (client: string) =>
      stall('/upload', client, { 'content-type': FORM, 'content-length': String(5 * MEGABYTE) });

    test('reserve at most one client’s part: 429 with Retry-After; others are served', async () => {
      // Requests on several connections arrive in any order, so any of them may be refused.
      const refused = await Promise.any(Array.from({ length: 5 }, () => announce('greedy')));
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
      expect((await send('/upload', 'other', FORM, form)).status).toBe(200);
    });

    test('reserve at most the limit: 503 with Retry-After; other requests are served, and the memory is freed again', async () => {
      const refused = await Promise.any(Array.from('abcdefghij', (client) => announce(client)));
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
      expect((await send('/json', 'k', 'application/json', large)).status).toBe(200);
      for (const request of stalled.splice(0)) request.destroy();
      await eventually(async () => expect((await send('/upload', 'k', FORM, form)).status).toBe(200));
    });

    test('are cut off after ten seconds without a byte', async () => {
      const begun = Date.now();
      await expect(announce('slow')).rejects.toThrow();
      expect(Date.now() - begun).toBeLessThan(REQUEST_TIMEOUT_MS);
    });
  });

  describe('JSON bodies', () => {
    const announce = (client: string, headers: Record<string, string>) =>
      stall('/json', client, { 'content-type': 'application/json', ...headers });

    test.each([
      ['of a megabyte', { 'content-length': String(MEGABYTE) }],
      ['without a length', { 'transfer-encoding': 'chunked' }],
      ['that unfold', { 'content-length': '1000', 'content-encoding': 'gzip' }],
    ])('%s take a share too; small ones never wait for them', async (_what, headers) => {
      for (let i = 0; i < 32; i++) void announce(`client${i % 4}`, headers);
      await eventually(async () => {
        const refused = await send('/json', 'last', 'application/json', large);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      });
      expect((await send('/json', 'last', 'application/json', '{}')).status).toBe(200);
    });
  });
});

describe('clients that reset their connection', () => {
  const clients = 5;
  const connections = 40;
  const heads: [string, (client: string) => string][] = [
    ['a megabyte of JSON', (client) => head('/json', client, MEGABYTE, 'application/json')],
    [
      'a packed body',
      (client) => head('/json', client, 20, 'application/json', 'Content-Encoding: gzip\r\n'),
    ],
    ['an upload', (client) => head('/upload', client, 5 * MEGABYTE, FORM)],
  ];

  test.each(heads)('before memory is reserved for %s leave none reserved', async (_what, headOf) => {
    const own = await holding();
    const sockets = await reset(own, (i) => headOf(`r${i % clients}`));
    expect(sockets).toBe(connections);
    await eventually(() => {
      expect(own.closed()).toBe(connections);
      return Promise.resolve();
    });
    own.release();
    await honest(own);
  });

  test.each(heads)(
    'with %s behind a request that is not answered yet leave none taken',
    async (_what, headOf) => {
      const own = await holding('/api/v1/slow');
      await reset(own, (i) => `GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n${headOf(`p${i % clients}`)}`);
      await honest(own);
      own.release();
    },
  );

  const head = (path: string, client: string, length: number, type: string, more = '') =>
    `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;

  /** A server that holds requests of this path, or all, until it is released. */
  async function holding(path?: string) {
    const { passed, open } = gate();
    let [arrived, closed, isOpen] = [0, 0, false];
    const observe: RequestHandler = (req, res, next) => {
      arrived++;
      res.once('close', () => closed++);
      if (isOpen || (path !== undefined && req.path !== path)) next();
      else void passed.then(() => next());
    };
    const running = await serve(serverOf({ db: database.db, endpoints: [upload, json], observe }), 0);
    const release = () => {
      isOpen = true;
      open();
    };
    return { port: running.port, running, arrived: () => arrived, closed: () => closed, release };
  }
  type Holding = Awaited<ReturnType<typeof holding>>;
  const opened: Holding[] = [];

  async function reset(own: Holding, text: (i: number) => string): Promise<number> {
    opened.push(own);
    const sent = (text(0).match(/HTTP\/1\.1/g) ?? []).length * connections;
    const sockets = Array.from({ length: connections }, (_, i) => {
      const socket = connect(own.port, '127.0.0.1').on('error', () => undefined);
      socket.write(text(i));
      return socket;
    });
    await eventually(() => {
      expect(own.arrived()).toBe(sent);
      return Promise.resolve();
    });
    await delay(200); // Those that are not held take their room.
    for (const socket of sockets) socket.resetAndDestroy();
    await delay(200);
    return sockets.length;
  }

  afterEach(async () => {
    for (const own of opened.splice(0)) {
      own.release();
      await own.running.drain(0);
    }
  });

  async function honest({ port }: Holding): Promise<void> {
    const statuses: number[] = [];
    for (let i = 0; i < connections; i++) {
      const client = `${i % 2 === 0 ? 'r' : 'p'}${i % clients}`;
      statuses.push((await sendTo(port, '/json', client, 'application/json', large)).status);
      statuses.push((await sendTo(port, '/upload', client, FORM, form)).status);
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }
});
