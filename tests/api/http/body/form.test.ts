import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { ownDatabase } from '../../../support/servers/database';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

const database = ownDatabase();

const FORM = 'application/x-www-form-urlencoded';
const contract = {
  ...unnamed,
  method: 'post',
  path: '/form',
  limit: generalLimit,
  idempotent: false,
  form: true,
  body: z.object({ name: z.string().max(100_000).optional(), city: z.string().optional() }),
  success: 200,
  data: z.object({ body: z.record(z.string(), z.unknown()) }),
  errors: {},
  handle: ({ body }: { body: Record<string, unknown> }) => Promise.resolve({ body }),
} as const;
const echo = endpoint({ ...contract, auth: 'public' });

const send = (body: string | Buffer, type = FORM, headers: Record<string, string> = {}) =>
  request(serverOf({ db: database.db, endpoints: [echo] }))
    .post('/api/v1/form')
    .set({ 'content-type': type, ...headers })
    .serialize((raw: unknown) => raw as string)
    .send(body as string);

test.each([
  ['fields', 'name=Ann&city=Bonn', { name: 'Ann', city: 'Bonn' }],
  ['encoded fields', 'name=Ann+%26+Zo%C3%AB&city=', { name: 'Ann & Zoë', city: '' }],
  ['an unknown field, which is dropped', 'name=Ann&__proto__=x&size=9', { name: 'Ann' }],
  ['a field without a value', 'name', { name: '' }],
  ['nothing', '', {}],
])('a form with %s reaches the handler', async (_, sent, body) => {
  const answer = await send(sent);
  expect([answer.status, answer.body.data]).toEqual([200, { body }]);
});

test('a form may name its character set, and may be compressed', async () => {
  expect((await send('name=Ann', `${FORM}; charset=UTF-8`)).status).toBe(200);
  const packed = await send(gzipSync('name=Ann'), FORM, { 'content-encoding': 'gzip' });
  expect(packed.body.data).toEqual({ body: { name: 'Ann' } });
});

test.each([
  ['JSON', '{"name":"Ann"}', 'application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form of parts', '--b--', 'multipart/form-data; boundary=b', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another character set', 'name=Ann', `${FORM}; charset=latin1`, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['bytes that are no text', Buffer.from([0x6e, 0x3d, 0xff]), FORM, 400, 'VALIDATION_ERROR'],
  ['a repeated field', 'name=Ann&name=Zoe', FORM, 400, 'VALIDATION_ERROR'],
  ['a NUL', 'name=%00', FORM, 400, 'VALIDATION_ERROR'],
  ['more than 64 KiB', `name=${'x'.repeat(64 * 1024)}`, FORM, 413, 'PAYLOAD_TOO_LARGE'],
])('%s is refused', async (_, body, type, status, code) => {
  const answer = await send(body, type);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test('what takes a form is public, since any page can make a browser post one', () => {
  expect(() => endpoint({ ...contract, auth: 'user' })).toThrow('takes a form and must be public');
});

test('400 VALIDATION_ERROR: more than 100 fields', async () => {
  const { status, text } = await send('a&'.repeat(32_000));
  expect(status).toBe(400);
  expect(text).toContain('has more than 100 fields');
});
