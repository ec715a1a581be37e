import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { digits } from '../../../../api/http/request/fields';
import { generalLimit } from '../../../../api/http/limits/limits';
import { ownDatabase } from '../../../support/servers/database';
import { serverOf } from '../shop';

const database = ownDatabase();
const common = { summary: 's', tag: 't', limit: generalLimit, success: 200, errors: {} } as const;
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
