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

const send = (path: string, client: string, type: string, body: Buffer | string) =>
  sendTo(serving.port, path, client, type, body);

describe('uploads that are announced and never come', () => {
  const announce = (client: string) =>
    stall('/upload', client, { 'content-type': FORM, 'content-length': String(5 * MEGABYTE) });

  test('take no more than one client’s share: 429 with Retry-After; others are served', async () => {
    // Of requests on several connections any may be the first, so any may be the one that is refused.
    const refused = await Promise.any(Array.from({ length: 5 }, () => announce('greedy')));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await send('/upload', 'other', FORM, form)).status).toBe(200);
  });

  test('take no more than there is: 503 with Retry-After; everything else is served, and all is well again', async () => {
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
