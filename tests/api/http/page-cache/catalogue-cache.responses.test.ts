import type supertest from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { perMinute } from '../../../../api/http/limits/limits';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { catalogueProcesses, type CatalogueProcess } from './catalogue-process';

const database = ownDatabase();
const open = catalogueProcesses(database);
const lines: string[] = [];
const PAGE = 'https://shop.example';
let shop: CatalogueProcess;

const few = endpoint({
  ...{ method: 'get', path: '/few', auth: 'public', limit: perMinute(3), summary: 's', tag: 't' },
  success: 200,
  errors: {},
  cached: true,
  data: z.object({}),
  handle: () => Promise.resolve({}),
});

beforeAll(async () => {
  await make.product(database.db);
  shop = await open({ lines, settings: { CORS_ORIGINS: PAGE } });
});

describe('a request that depends on more than its URL', () => {
  const path = '/products?page=1&pageSize=3';
  const getCached = async (headers: Record<string, string>) => {
    for (let i = 0; i < 3; i++) await shop.get(path);
    return shop.get(path, headers);
  };

  it('gets its own answer, although the response is cached', async () => {
    const { headers } = await getCached({});
    const ours = await getCached({ Origin: PAGE });
    expect(ours.headers['access-control-allow-origin']).toBe(PAGE);
    expect((await getCached({})).headers['access-control-allow-origin']).toBeUndefined();
    expect((await getCached({ 'If-None-Match': headers['etag'] ?? '' })).status).toBe(304);
    for (const token of [{ Authorization: 'Bearer bad' }, { Cookie: 'svc_access_token=x' }])
      expect((await getCached(token)).headers['cache-control']).toBe('no-store');
    expect((await getCached({ 'X-Request-Id': 'mine-1' })).headers['x-request-id']).toBe('mine-1');
  });

  it('is logged like any other', async () => {
    await getCached({});
    lines.length = 0;
    await shop.get(path, { 'X-Request-Id': 'ready-1' });
    await eventually(() => expect(lines).toHaveLength(1));
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      ...{ requestId: 'ready-1', route: '/products', path: '/api/v1/products', status: 200 },
      clientAddress: '127.0.0.1',
    });
  });
});

it('counts every request against the limits, once', async () => {
  const strict = await open({ settings: { RATE_LIMIT_SCALE: '1' } });
  const answers: supertest.Response[] = [];
  while (answers.every(({ status }) => status === 200))
    answers.push(...(await Promise.all(Array.from({ length: 12 }, () => strict.get('/categories')))));
  const remaining = answers.filter(({ status }) => status === 200).map(remainingOf);
  const inOrder = remaining.sort((a, b) => b - a);
  expect(inOrder).toEqual(inOrder.map((_, i) => 199 - i));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
  expect(refused?.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'retry-after': expect.stringMatching(/^\d+$/),
    'x-ratelimit-limit': '10',
    'x-request-id': expect.any(String),
  });
  expect(refused?.headers['etag']).toBeUndefined();
});

it('is refused by the same limit if it was counted early', async () => {
  const limited = await open({ settings: { RATE_LIMIT_SCALE: '1' }, endpoints: [few] });
  for (let i = 0; i < 3; i++) expect((await limited.get('/few')).status).toBe(200);
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await limited.get('/few');
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([429, '3', '0']);
  }
});

const remainingOf = ({ headers }: supertest.Response): number => Number(headers['x-ratelimit-remaining']);
