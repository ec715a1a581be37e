import type { RequestHandler } from 'express';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { endpoint } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits';
import { serve, type Serving } from '../../../api/http/serve';
import { ownDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { gate, serverOf } from './shop';

const MEGABYTE = 1024 * 1024;
const database = ownDatabase();
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
  summary: 's',
  idempotent: false,
  upload: { field: 'file', maxBytes: 5 * MEGABYTE },
  data: done,
  handle: (_asked, { request }) => Promise.resolve({ bytes: request.file.length }),
});
const json = endpoint({
  ...common,
  path: '/json',
  summary: 's',
  idempotent: false,
  data: done,
  handle: () => Promise.resolve({ bytes: 0 }),
});

let serving: Serving;
beforeAll(async () => {
  serving = await serve(serverOf({ db: database.db, endpoints: [upload, json] }), 0);
});
afterAll(() => serving.drain(0));

const stalled: ClientRequest[] = [];
afterEach(() => {
  for (const request of stalled.splice(0)) request.destroy();
});

/** Announces a body and sends none of it; answers what comes back, if anything does. */
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

const FORM = 'multipart/form-data; boundary=b';
const form = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n',
);
const send = (path: string, client: string, type: string, body: Buffer | string, port = serving.port) =>
  fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client}`, 'content-type': type },
    body,
  });
const large = JSON.stringify({ text: 'x'.repeat(100_000) });

describe('uploads that are announced and never come', () => {
  const announce = (client: string) =>
    stall('/upload', client, { 'content-type': FORM, 'content-length': String(5 * MEGABYTE) });

  test('take no more than one client’s share: 429 with Retry-After; others are served', async () => {
    for (let i = 0; i < 4; i++) void announce('greedy');
    const refused = await announce('greedy');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await send('/upload', 'other', FORM, form)).status).toBe(200);
  });

  test('take no more than there is: 503 with Retry-After; everything else is served, and all is well again', async () => {
    for (const client of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) void announce(client);
    const refused = await announce('j');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect((await send('/json', 'k', 'application/json', large)).status).toBe(200);
    for (const request of stalled.splice(0)) request.destroy();
    await eventually(async () => expect((await send('/upload', 'k', FORM, form)).status).toBe(200));
  });

  test('are cut off after ten seconds without a byte', async () => {
    const begun = Date.now();
    await expect(announce('slow')).rejects.toThrow();
    expect(Date.now() - begun).toBeLessThan(20_000);
  });
});

describe('bodies of JSON', () => {
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

  test.each(heads)('before room for %s is taken leave none taken', async (_what, headOf) => {
    const own = await holding();
    const sockets = await reset(own, (i) => headOf(`r${i % clients}`));
    expect(sockets).toBe(connections);
    await eventually(() => Promise.resolve(expect(own.closed()).toBe(connections)));
    own.letGoOn();
    await honest(own);
  });

  test.each(heads)(
    'with %s behind a request that is not answered yet leave none taken',
    async (_what, headOf) => {
      const own = await holding('/api/v1/slow');
      await reset(own, (i) => `GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n${headOf(`p${i % clients}`)}`);
      await honest(own);
      own.letGoOn();
    },
  );

  const head = (path: string, client: string, length: number, type: string, more = '') =>
    `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;

  /** A server that keeps requests of this path, or all, until it is told to go on. */
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
    const letGoOn = () => {
      isOpen = true;
      open();
    };
    return { port: running.port, running, arrived: () => arrived, closed: () => closed, letGoOn };
  }
  type Holding = Awaited<ReturnType<typeof holding>>;
  const opened: Holding[] = [];

  async function reset(own: Holding, text: (i: number) => string): Promise<number> {
    opened.push(own);
    const asked = (text(0).match(/HTTP\/1\.1/g) ?? []).length * connections;
    const sockets = Array.from({ length: connections }, (_, i) => {
      const socket = connect(own.port, '127.0.0.1').on('error', () => undefined);
      socket.write(text(i));
      return socket;
    });
    await eventually(() => Promise.resolve(expect(own.arrived()).toBe(asked)));
    await delay(200); // Those that are not held take their room.
    for (const socket of sockets) socket.resetAndDestroy();
    await delay(200);
    return sockets.length;
  }

  afterEach(async () => {
    for (const own of opened.splice(0)) {
      own.letGoOn();
      await own.running.drain(0);
    }
  });

  async function honest({ port }: Holding): Promise<void> {
    const statuses: number[] = [];
    for (let i = 0; i < connections; i++) {
      const client = `${i % 2 === 0 ? 'r' : 'p'}${i % clients}`;
      statuses.push((await send('/json', client, 'application/json', large, port)).status);
      statuses.push((await send('/upload', client, FORM, form, port)).status);
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }
});
