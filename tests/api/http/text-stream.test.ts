import request from 'supertest';
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoint } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits/limits';
import { TextChunks } from '../../../api/http/answer/text-stream';
import { refusal } from '../../../workflows/errors';
import { ownDatabase } from '../../support/servers/database';
import { eventually } from '../../support/checks/eventually';
import { serverOf } from './shop';

const database = ownDatabase();
const lines: string[] = [];

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
  ...{ method: 'get', path: '/file', summary: 's', tag: 't', auth: 'public', limit: generalLimit },
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
