import type supertest from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { perMinute } from '../../../../api/http/limits/limits';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { cataloguesOver, type CatalogueProcess } from './catalogue-process';

const database = ownDatabase();
const open = cataloguesOver(database);
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

describe('a request that tells more than its address', () => {
  const path = '/products?page=1&pageSize=3';
  const askReady = async (headers: Record<string, string>) => {
    for (let i = 0; i < 3; i++) await shop.get(path);
    return shop.get(path, headers);
  };

  it('gets its own answer, however ready the page is', async () => {
    const { headers } = await askReady({});
    const ours = await askReady({ Origin: PAGE });
    expect(ours.headers['access-control-allow-origin']).toBe(PAGE);
    expect((await askReady({})).headers['access-control-allow-origin']).toBeUndefined();
    expect((await askReady({ 'If-None-Match': headers['etag'] ?? '' })).status).toBe(304);
    for (const token of [{ Authorization: 'Bearer bad' }, { Cookie: 'svc_access_token=x' }])
      expect((await askReady(token)).headers['cache-control']).toBe('no-store');
    expect((await askReady({ 'X-Request-Id': 'mine-1' })).headers['x-request-id']).toBe('mine-1');
  });

  it('is logged like any other', async () => {
    await askReady({});
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

it('is refused for what refuses it, also when it was counted ahead', async () => {
  const limited = await open({ settings: { RATE_LIMIT_SCALE: '1' }, endpoints: [few] });
  for (let i = 0; i < 3; i++) expect((await limited.get('/few')).status).toBe(200);
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await limited.get('/few');
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([429, '3', '0']);
  }
});

const remainingOf = ({ headers }: supertest.Response): number => Number(headers['x-ratelimit-remaining']);
