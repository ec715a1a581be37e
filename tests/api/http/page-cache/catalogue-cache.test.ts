import pino from 'pino';
import supertest from 'supertest';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { ApiConfig } from '../../../../api/config';
import { endpoint } from '../../../../api/http/endpoint';
import { perMinute } from '../../../../api/http/limits/limits';
import { serve } from '../../../../api/http/serve';
import { openCatalogueChannel } from '../../../../db/catalog/catalogue-change/catalogue-channel';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import { testVariables } from '../../../support/worlds/variables';
import { get } from '../client';
import { noProcesses } from '../shop';
import { type CatalogueProcess, catalogueProcesses } from './catalogue-process';
import { proxyTo } from './catalogue-proxy';
import { unnamed } from '../unnamed';

describe('cached pages', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);
  let shop: CatalogueProcess;
  let productId = '';
  let categoryId = '';

  beforeAll(async () => {
    const category = await make.category(database.db);
    categoryId = category.id;
    for (let n = 0; n < 25; n++)
      ({ id: productId } = await make.product(database.db, { categoryId, tags: ['a'] }));
    shop = await open();
  });

  const paths = () => [
    '/products?pageSize=5',
    '/products?search=product&sortBy=price',
    `/products?categoryId=${categoryId}`,
    `/products/${productId}`,
    '/categories?includeProducts=true',
  ];

  /** The parts of an answer that are the same for every request. */
  const lasting = ({ status, text, headers }: supertest.Response) => {
    const own = ['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'date'];
    return {
      status,
      text,
      headers: Object.entries(headers)
        .filter(([name]) => !own.includes(name))
        .sort(),
    };
  };

  describe('a page', () => {
    it('is prepared once; after that it costs no SQL and is the same in bytes and headers', async () => {
      for (const path of paths()) {
        const first = await shop.get(path);
        expect(first.status).toBe(200);
        const queried = jest.spyOn(database.db.sequelize, 'query');
        // The second finds the page by its URL, the third the whole response.
        for (let i = 0; i < 3; i++) {
          const again = await shop.get(path);
          expect(lasting(again)).toEqual(lasting(first));
          expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
          expect(again.headers['x-ratelimit-remaining']).toBe(
            String(Number(first.headers['x-ratelimit-remaining']) - i - 1),
          );
        }
        expect(queried).not.toHaveBeenCalled();
        queried.mockRestore();
      }
    });

    it('is 304 for a caller that has it, also from the cache', async () => {
      const { headers } = await shop.get('/products?page=2');
      const again = await shop.get('/products?page=2', { 'If-None-Match': headers['etag'] ?? '' });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
      const other = await shop.get('/products?page=2', { 'If-None-Match': 'W/"other"' });
      expect(other.status).toBe(200);
    });

    it('has the same bytes with a token, but may not be cached by others', async () => {
      const { text } = await shop.get('/products');
      const mine = await shop.get('/products', { Authorization: 'Bearer anna' });
      expect(mine.text).toBe(text);
      expect(mine.headers['cache-control']).toBe('no-store');
      expect(mine.headers['etag']).toBeUndefined();
      expect((await shop.get('/products')).headers['cache-control']).toBe('public, no-cache');
    });

    it('is cached under its slug, until the slug belongs to another product', async () => {
      const first = await make.product(database.db, { slug: 'reading-lamp' });
      const second = await make.product(database.db, { slug: 'other-lamp' });
      const shown = async () => (await shop.get('/products/reading-lamp')).body.data?.id;
      expect([await shown(), await shown(), await shown()]).toEqual([first.id, first.id, first.id]);
      const rename = (id: string, slug: string) =>
        execute(database.db, 'UPDATE products SET slug = $2 WHERE id = $1', [id, slug]);
      await rename(first.id, 'old-lamp');
      await eventually(async () => expect(await shown()).toBeUndefined());
      await rename(second.id, 'reading-lamp');
      await eventually(async () => expect(await shown()).toBe(second.id));
    });

    it('names parameters that it did not understand, without another query and to this caller only', async () => {
      for (const path of [`/products/${productId}`, '/products?pageSize=5']) {
        const plain = await shop.get(path);
        const queried = jest.spyOn(database.db.sequelize, 'query');
        const odd = `${path}${path.includes('?') ? '&' : '?'}category=lamps`;
        for (let i = 0; i < 3; i++) {
          const answer = await shop.get(odd);
          expect(answer.body.meta.ignored).toEqual(['category']);
          expect({ ...answer.body, meta: { ...answer.body.meta, ignored: undefined } }).toEqual({
            ...plain.body,
            meta: { ...plain.body.meta, ignored: undefined },
          });
          const { etag = '' } = answer.headers;
          expect(etag).not.toBe(plain.headers['etag']);
          expect((await shop.get(odd, { 'If-None-Match': etag })).status).toBe(304);
        }
        expect((await shop.get(path)).text).toBe(plain.text);
        expect(queried).not.toHaveBeenCalled();
        queried.mockRestore();
      }
    });

    it('is prepared once for a hundred concurrent requests', async () => {
      const queried = jest.spyOn(database.db.sequelize, 'query');
      const path = '/products?pageSize=7';
      let answers: supertest.Response[] = [];
      const outcomes = await shop.outcomesOf(async () => {
        answers = await Promise.all(Array.from({ length: 100 }, () => shop.get(path)));
      });
      expect(queried).toHaveBeenCalledTimes(1);
      queried.mockRestore();
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect([outcomes.miss, outcomes.hit + outcomes.joined]).toEqual([1, 99]);
    });

    it('is cached once for all spellings of a request; its links have known parameters only', async () => {
      const outcomes = await shop.outcomesOf(async () => {
        for (const query of [
          '?page=3&pageSize=4',
          '?pageSize=4&page=3',
          '?pageSize=04&page=3&colour=red',
          '?page=3&pageSize=4&sortBy=createdAt',
        ]) {
          const { headers } = await shop.get(`/products${query}`);
          expect(headers['link']).not.toContain('colour');
        }
        await shop.get(`/products/${productId.toUpperCase()}`);
      });
      expect(outcomes).toEqual({ miss: 1, hit: 4, joined: 0, bypass: 0 });
    });

    it('differs for different requests', async () => {
      const queries = [
        '',
        '?sortOrder=asc',
        '?tags=a',
        '?tags=b',
        '?minPrice=1',
        '?search=a',
        '?status=ACTIVE',
      ];
      const answers: string[] = [];
      for (const query of queries) answers.push((await shop.get(`/products${query}`)).text);
      for (const [i, query] of queries.entries()) {
        const { text } = await shop.get(`/products${query}`);
        expect(text).toBe(answers[i]);
      }
      expect(answers[2]).not.toBe(answers[3]);
      expect(answers[0]).not.toBe(answers[1]);
    });
  });

  describe('the cache', () => {
    it('has no refusals: an invalid request is refused each time, an unknown product is found once it exists', async () => {
      await shop.get('/products?page=1');
      for (const wrong of [
        '/products?page=0',
        '/products?page=1&page=2',
        `/products/${'x'.repeat(301)}`,
        '/categories?parentId=x',
      ])
        for (let i = 0; i < 2; i++) expect((await shop.get(wrong)).status).toBe(400);
      const { id } = await make.product(database.db, { status: 'DRAFT' });
      for (let i = 0; i < 2; i++) expect((await shop.get(`/products/${id}`)).status).toBe(404);
      await shop.change(`UPDATE products SET status = 'ACTIVE' WHERE id = '${id}'`);
      expect((await shop.get(`/products/${id}`)).status).toBe(200);
    });

    it('has GET and HEAD only', async () => {
      await shop.get('/products');
      const { status } = await supertest(shop.address).delete('/api/v1/products');
      expect(status).toBe(405);
      const head = await supertest(shop.address).head('/api/v1/products');
      expect([head.status, head.text]).toEqual([200, undefined]);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000);
    });
  });

  it('never exceeds its bytes: the least recently used pages are evicted', async () => {
    const mostBytes = 60_000;
    const small = await open({ mostBytes });
    const favourite = '/products?pageSize=1&search=product';
    const outcomes = await small.outcomesOf(async () => {
      for (let page = 1; page <= 120; page++) {
        await small.get(`/products?pageSize=10&page=${page}`);
        await small.get(favourite);
        expect(small.cache.bytes).toBeLessThanOrEqual(mostBytes);
      }
    });
    expect(outcomes).toMatchObject({ miss: 121, hit: 119 });
    expect(small.cache.size).toBeGreaterThan(2);
    expect(small.cache.size).toBeLessThan(121);
    expect(await small.outcomesOf(() => small.get(favourite))).toMatchObject({ hit: 1 });
    expect(await small.outcomesOf(() => small.get('/products?pageSize=10&page=1'))).toMatchObject({
      miss: 1,
    });
  });
});

describe('cached responses', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);
  const lines: string[] = [];
  const PAGE = 'https://shop.example';
  let shop: CatalogueProcess;

  const few = endpoint({
    ...{
      method: 'get',
      path: '/few',
      auth: 'public',
      limit: perMinute(3),
      ...unnamed,
    },
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
      expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
        429,
        '3',
        '0',
      ]);
    }
  });

  const remainingOf = ({ headers }: supertest.Response): number => Number(headers['x-ratelimit-remaining']);
});

describe('the cache by configuration', () => {
  const database = ownDatabase();

  it('is visible to Prometheus', async () => {
    const { app, metrics, close } = createApp({
      config: ApiConfig.parse(testVariables),
      policy: policyFrom({}),
      db: database.db,
      databaseUrl: database.url,
      processes: noProcesses(),
      log: pino({ level: 'silent' }),
    });
    const [server, measuring] = [await serve(app, 0), await serve(metrics.page, 0)];
    await get(server.port, '/api/v1/categories');
    const { body } = await get(measuring.port, '/metrics');
    expect(body).toMatch(/catalogue_cache_requests_total\{outcome="(miss|bypass)"\} 1/);
    expect(body).toMatch(/^catalogue_cache_pages \d/m);
    expect(body).toMatch(/^catalogue_cache_bytes \d/m);
    await Promise.all([server.drain(), measuring.drain()]);
    await close();
  });

  it('is off with CATALOGUE_CACHE_MB=0: every answer is made from the database, and no connection listens', async () => {
    const listeners = () =>
      rows(
        database.db,
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'catalogue' AND datname = current_database()`,
      );
    const before = (await listeners()).length;
    const { app, metrics, close } = createApp({
      config: ApiConfig.parse({ ...testVariables, CATALOGUE_CACHE_MB: '0' }),
      policy: policyFrom({}),
      db: database.db,
      databaseUrl: database.url,
      processes: noProcesses(),
      log: pino({ level: 'silent' }),
    });
    const [server, measuring] = [await serve(app, 0), await serve(metrics.page, 0)];
    const queried = jest.spyOn(database.db.sequelize, 'query');
    for (let i = 0; i < 2; i++) expect((await get(server.port, '/api/v1/categories')).status).toBe(200);
    expect(queried).toHaveBeenCalledTimes(2);
    queried.mockRestore();
    expect(await listeners()).toHaveLength(before);
    expect((await get(measuring.port, '/metrics')).body).not.toContain('catalogue_cache');
    await Promise.all([server.drain(), measuring.drain()]);
    await close();
  });
});

describe('the channel', () => {
  const own = ownDatabase();

  test('a channel listens before it takes its first snapshot, so that no change falls between the two', async () => {
    const proxy = await proxyTo(own.url);
    const channel = await openCatalogueChannel(proxy.url, {
      announced: () => undefined,
      lost: () => undefined,
    });
    const [listened, looked] = [proxy.sent().indexOf('LISTEN '), proxy.sent().indexOf('catalogue-changes')];
    expect(listened).toBeGreaterThan(-1);
    expect(looked).toBeGreaterThan(listened);
    await channel.close();
    proxy.close();
  });
});
