import supertest from 'supertest';
import { z } from 'zod';
import { categoryEndpoints } from '../../../../api/categories';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { productEndpoints } from '../../../../api/products';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import { gate, serverOf } from '../shop';
import {
  answeredWithinASecond,
  type CatalogueProcess,
  catalogueProcesses,
  listening,
} from './catalogue-process';
import { proxyTo } from './catalogue-proxy';
import { unnamed } from '../unnamed';

describe('changes', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);

  let shop: CatalogueProcess;
  let other: CatalogueProcess;
  const id = { x: '', y: '', gone: '', sameShelf: '', variant: '', category: '', child: '' };

  beforeAll(async () => {
    id.category = (await make.category(database.db)).id;
    id.child = (await make.category(database.db, { parentId: id.category })).id;
    id.x = (await make.product(database.db, { categoryId: id.child, stock: 10, tags: ['t'] })).id;
    id.variant = (await make.variant(database.db, id.x)).id;
    await make.image(database.db, id.x);
    id.sameShelf = (await make.product(database.db, { categoryId: id.child, stock: 10 })).id;
    await make.product(database.db, { categoryId: id.child, stock: 10 });
    id.y = (await make.product(database.db, { stock: 10 })).id;
    id.gone = (await make.product(database.db)).id;
    shop = await open();
    other = await open();
  });

  const views = () => [
    '/products',
    '/products?sortBy=popularity',
    '/products?status=ACTIVE',
    '/products?status=OUT_OF_STOCK',
    '/products?search=product&tags=t',
    `/products?categoryId=${id.category}&sortBy=price`,
    `/products/${id.x}`,
    `/products/${id.sameShelf}`,
    `/products/${id.y}`,
    '/categories',
    '/categories?includeProducts=true',
    `/categories/${id.category}`,
    `/categories/${id.category}?sortBy=popularity`,
  ];

  const all = (at: Pick<CatalogueProcess, 'get'>) =>
    Promise.all(views().map(async (path) => (await at.get(path)).text));

  /** Every view as it is, from a server without a cache. */
  async function truth(): Promise<string[]> {
    const server = serverOf({ db: database.db, endpoints: [...productEndpoints, ...categoryEndpoints] });
    const texts: string[] = [];
    for (const path of views()) texts.push((await supertest(server).get(`/api/v1${path}`)).text);
    return texts;
  }

  /** The changes, each based on the one before. */
  const changes: [string, () => string][] = [
    ['a price', () => `UPDATE products SET price_minor = 9999 WHERE id = '${id.x}'`],
    ['a name', () => `UPDATE products SET name = 'Other product' WHERE id = '${id.sameShelf}'`],
    ['a sale', () => `UPDATE stock_items SET available = available - 1 WHERE product_id = '${id.y}'`],
    ['a sell-out', () => `UPDATE stock_items SET available = 0 WHERE product_id = '${id.x}'`],
    ['goods that come back', () => `UPDATE stock_items SET available = 3 WHERE product_id = '${id.x}'`],
    ['popularity', () => `UPDATE products SET units_sold_90d = 7 WHERE id = '${id.x}'`],
    ['a rating', () => `UPDATE products SET ratings = '{0,0,0,0,1}' WHERE id = '${id.sameShelf}'`],
    [
      'a picture',
      () => `UPDATE product_images SET thumbnail_url = 'https://x.example/t' WHERE product_id = '${id.x}'`,
    ],
    ['a picture that goes', () => `DELETE FROM product_images WHERE product_id = '${id.x}'`],
    ['a kind', () => `UPDATE product_variants SET price_minor = 1 WHERE id = '${id.variant}'`],
    ['a category’s name', () => `UPDATE categories SET name = 'Renamed' WHERE id = '${id.child}'`],
    [
      'a category that is switched off',
      () => `UPDATE categories SET is_active = false WHERE id = '${id.child}'`,
    ],
    [
      'popularity on a shelf that is off',
      () => `UPDATE products SET units_sold_90d = 9 WHERE id = '${id.sameShelf}'`,
    ],
    ['a product that is taken off', () => `UPDATE products SET status = 'ARCHIVED' WHERE id = '${id.gone}'`],
    [
      'a new product',
      () =>
        `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp, created_at, updated_at)
       VALUES (gen_random_uuid(), 'new', 'new', 'new', 'new', 1, 'ACTIVE', 0, 0, now(), now())`,
    ],
  ];

  describe('a change', () => {
    it.each(changes)('of %s is seen by the next request to the same process', async (_what, change) => {
      const before = await all(shop);
      expect(await shop.outcomesOf(() => all(shop))).toMatchObject({ miss: 0, bypass: 0 });
      await shop.change(change());
      const after = await all(shop);
      expect(after).toEqual(await truth());
      expect(after).not.toEqual(before);
    });

    it('is never missed by a request right after it, while others keep the page cached', async () => {
      let going = true;
      const path = `/products/${id.x}`;
      const warm = [1, 2, 3].map(async () => {
        while (going) await shop.get(path);
      });
      for (let price = 100; price < 200; price++) {
        await shop.change(`UPDATE products SET price_minor = ${price} WHERE id = '${id.x}'`);
        expect((await shop.get(path)).body.data.price).toBe(price / 100);
      }
      going = false;
      await Promise.all(warm);
    });

    it('is seen by another process within a second', async () => {
      const path = `/products/${id.x}`;
      for (let price = 300; price < 320; price++) {
        await other.get(path);
        await shop.change(`UPDATE products SET price_minor = ${price} WHERE id = '${id.x}'`);
        await answeredWithinASecond(async () => (await other.get(path)).body.data.price, price / 100);
      }
    });

    it('that is rolled back changes nothing', async () => {
      await all(shop);
      const change = `UPDATE products SET price_minor = 1`;
      await expect(shop.change(change, 'SELECT 1 / 0')).rejects.toThrow();
      expect(await shop.outcomesOf(() => all(shop))).toMatchObject({ miss: 0, bypass: 0 });
    });

    it('of one product’s stock keeps pages that do not show it', async () => {
      const elsewhere = ['/categories', `/products/${id.x}`, '/products?sortBy=price&pageSize=1&maxPrice=5'];
      for (const path of [...elsewhere, `/products/${id.sameShelf}`]) await shop.get(path);
      await shop.change(
        `UPDATE stock_items SET available = available - 1 WHERE product_id = '${id.sameShelf}'`,
      );
      const requested = async (paths: string[]) => {
        for (const path of paths) await shop.get(path);
      };
      expect(await shop.outcomesOf(() => requested(elsewhere))).toMatchObject({ hit: 3, miss: 0 });
      expect(await shop.outcomesOf(() => requested([`/products/${id.sameShelf}`]))).toMatchObject({
        miss: 1,
      });
    });

    it('of invisible data keeps every page', async () => {
      await all(shop);
      await shop.change(
        `UPDATE stock_items SET reserved = reserved + 1`,
        `UPDATE products SET max_per_line = 50`,
      );
      expect(await shop.outcomesOf(() => all(shop))).toMatchObject({ miss: 0 });
    });
  });
});

describe('a change while a page is made', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);

  /** Reads the database and then waits, like a slow answer. */
  let delay: Promise<void> = Promise.resolve();
  let reads = 0;
  const slow = endpoint({
    ...{
      method: 'get',
      path: '/slow',
      auth: 'public',
      limit: generalLimit,
      ...unnamed,
    },
    success: 200,
    errors: {},
    cached: true,
    data: z.object({ name: z.string() }),
    async handle(_input, { db }) {
      const row = await firstRow<{ name: string }>(db, 'SELECT name FROM categories ORDER BY id LIMIT 1');
      reads++;
      await delay;
      return { name: row?.name ?? '' };
    },
  });

  let shop: CatalogueProcess;
  beforeAll(async () => {
    await make.category(database.db);
    shop = await open({ endpoints: [slow] });
  });

  it('a preparation that began before a change is not joined after it', async () => {
    const { passed, open: goOn } = gate();
    delay = passed;
    reads = 0;
    const early = shop.get('/slow');
    await eventually(() => expect(reads).toBe(1));
    await shop.change(`UPDATE categories SET name = 'Changed meanwhile'`);
    const late = shop.get('/slow');
    await eventually(() => expect(reads).toBe(2));
    goOn();
    expect((await early).body.data.name).not.toBe('Changed meanwhile');
    expect((await late).body.data.name).toBe('Changed meanwhile');
    expect((await shop.get('/slow')).body.data.name).toBe('Changed meanwhile');
    expect(reads).toBe(2);
  });

  it('a preparation that began before a change is not cached', async () => {
    const { passed, open: goOn } = gate();
    await shop.change(`UPDATE categories SET name = 'Old'`);
    delay = passed;
    reads = 0;
    const early = shop.get('/slow');
    await eventually(() => expect(reads).toBe(1));
    await shop.change(`UPDATE categories SET name = 'New'`);
    await shop.get('/categories');
    goOn();
    expect((await early).body.data.name).toBe('Old');
    expect((await shop.get('/slow')).body.data.name).toBe('New');
  });
});

describe('outages', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);
  let id = '';
  beforeEach(async () => {
    ({ id } = await make.product(database.db));
  });

  const path = () => `/products/${id}`;
  const setPrice = (minor: number) => `UPDATE products SET price_minor = ${minor} WHERE id = '${id}'`;
  const cutListeners = () =>
    rows(
      database.db,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'catalogue' AND datname = current_database()`,
    );

  it('a lost connection: changes in the meantime are seen, and pages are cached again after it', async () => {
    const shop = await open();
    for (let round = 1; round <= 5; round++) {
      await shop.get(path());
      expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
      await cutListeners();
      await shop.change(setPrice(round * 100));
      for (let i = 0; i < 10; i++) expect((await shop.get(path())).body.data.price).toBe(round);
      await listening(shop.cache);
      await shop.get(path());
      expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
      expect((await shop.get(path())).body.data.price).toBe(round);
    }
  });

  it('a lost connection: a change of another process is seen within a second', async () => {
    const shop = await open();
    for (let round = 1; round <= 5; round++) {
      await shop.get(path());
      await cutListeners();
      await execute(database.db, setPrice(round * 1_000));
      await answeredWithinASecond(async () => (await shop.get(path())).body.data.price, round * 10);
      await listening(shop.cache);
    }
  });

  it('a silent connection is detected, and no outdated page is served after that', async () => {
    const proxy = await proxyTo(database.url);
    const shop = await open({ listenAt: proxy.url });
    await shop.get(path());
    await listening(shop.cache);
    proxy.silence();
    await execute(database.db, setPrice(4_200));
    await answeredWithinASecond(async () => (await shop.get(path())).body.data.price, 42);
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ bypass: 1 });
    expect((await shop.get(path())).body.data.price).toBe(42);

    proxy.speak();
    await listening(shop.cache);
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    await shop.change(setPrice(100));
    expect((await shop.get(path())).body.data.price).toBe(1);
    proxy.close();
  });

  it('lost announcements: a process sees its own changes at once, another one within a second', async () => {
    const { body } = (await firstRow<{ body: string }>(
      database.db,
      `SELECT pg_get_functiondef('announce_catalogue_change'::regproc) AS body`,
    ))!;
    const withoutNotify = body.replace(/PERFORM pg_notify[^;]+;/, '');
    expect(withoutNotify).not.toBe(body);
    await database.owner.sequelize.query(withoutNotify);
    const [shop, other] = [await open(), await open()];
    for (let round = 1; round <= 3; round++) {
      await Promise.all([shop.get(path()), other.get(path())]);
      await shop.change(setPrice(round * 500));
      expect((await shop.get(path())).body.data.price).toBe(round * 5);
      await answeredWithinASecond(async () => (await other.get(path())).body.data.price, round * 5);
    }
    await database.owner.sequelize.query(body);
  });

  it('a read of changes that began before a change does not hide it', async () => {
    const proxy = await proxyTo(database.url);
    const shop = await open({ listenAt: proxy.url });
    for (let i = 0; i < 2; i++) await shop.get(path());
    proxy.hold();
    shop.cache.markStale();
    const before = shop.get(path());
    await eventually(() => expect(proxy.heldBytes()).toBeGreaterThan(0));
    await shop.change(setPrice(700));
    const after = shop.get(path());
    const arrived = jest.spyOn(shop.cache, 'cachedPage');
    await eventually(() => expect(arrived).toHaveBeenCalled());
    proxy.speak();
    await before;
    expect((await after).body.data.price).toBe(7);
    proxy.close();
  });

  it('a database that is unavailable at the start: pages are answered as soon as it is available', async () => {
    const proxy = await proxyTo(database.url);
    proxy.silence();
    const opening = open({ listenAt: proxy.url });
    await make.product(database.db);
    proxy.speak();
    const shop = await opening;
    await shop.get(path());
    expect(await shop.outcomesOf(() => shop.get(path()))).toMatchObject({ hit: 1 });
    proxy.close();
  });
});
