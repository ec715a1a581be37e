import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { serve, type Serving } from '../../../../api/http/serve';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { FORM, form, json, large, MEGABYTE, sendTo, upload } from './bodies';
import { serverOf } from '../shop';

const database = ownDatabase();
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
    expect(Date.now() - begun).toBeLessThan(20_000);
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
