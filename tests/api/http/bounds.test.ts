import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../api/http/endpoint';
import { text } from '../../../api/http/request/fields';
import { holdsMoreValues } from '../../../api/http/body/json-values';
import { generalLimit, perMinute } from '../../../api/http/limits/limits';
import { paging } from '../../../api/http/answer/paging';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from './shop';

const database = ownDatabase();
const common = { summary: 's', tag: 't', auth: 'public', success: 200, errors: {} } as const;

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
    const begun = performance.now();
    expect(holdsMoreValues(body, 10_000)).toBe(true);
    // Parsing it took about 150 ms; counting stops after a hundredth of it.
    expect(performance.now() - begun).toBeLessThan(20);
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

  it.each(['gzip', 'deflate', 'br'])('that is not %s, although it says so, is refused', async (encoding) => {
    expect(codeOf(await post('{"name":"Ann"}', { 'Content-Encoding': encoding }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

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
