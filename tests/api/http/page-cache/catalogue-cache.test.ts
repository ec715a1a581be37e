import supertest from 'supertest';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { catalogueProcesses, type CatalogueProcess } from './catalogue-process';

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
      '/products/nothing',
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
  expect(await small.outcomesOf(() => small.get('/products?pageSize=10&page=1'))).toMatchObject({ miss: 1 });
});
