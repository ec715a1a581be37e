import { QueryTypes } from 'sequelize';
import { listProducts, type ProductOrder } from '../../../db/catalog/product-list.reads';
import type { ProductFilter } from '../../../db/catalog/product-filter.reads';
import { productDetail } from '../../../db/catalog/product.reads';
import { execute, rows } from '../../../db/sql';
import { ownDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';

const own = ownDatabase();
const PRODUCTS = 20_000;
let categoryId = '';
let productId = '';

/** Enough products, with words, tags and prices spread over them, for the planner to care. */
beforeAll(async () => {
  await execute(
    own.db,
    `INSERT INTO categories (id, name, slug, created_at, updated_at)
     SELECT gen_random_uuid(), 'Category ' || n, 'category-' || n, now(), now() FROM generate_series(1, 40) n`,
  );
  await execute(
    own.db,
    `INSERT INTO products (id, category_id, name, slug, sku, description, price_minor, status, track_inventory, tags,
       commission_bp, career_points_bp, units_sold_90d, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT array_agg(id) FROM categories)[1 + n % 40],
       chr(97 + n % 26) || 'word' || n % 500 || ' thing ' || n, 'slug-' || n, 'SKU-' || n, repeat('Made to last for years. ', 8), n * 7 % 50000,
       CASE n % 50 WHEN 0 THEN 'DRAFT' WHEN 1 THEN 'OUT_OF_STOCK' ELSE 'ACTIVE' END, n % 20 <> 0,
       ARRAY['tag' || n % 300], 1000, 10000, n % 90, now() - n * interval '1 minute', now()
     FROM generate_series(1, ${PRODUCTS}) n`,
  );
  await execute(
    own.db,
    `INSERT INTO stock_items (id, product_id, available, updated_at)
     SELECT gen_random_uuid(), id, CASE WHEN random() < 0.03 THEN 0 ELSE 9 END, now() FROM products`,
  );
  await eventually(vacuum);
  const found = await rows<{ id: string; categoryId: string }>(
    own.db,
    `SELECT id, category_id AS "categoryId" FROM products WHERE status = 'ACTIVE' ORDER BY sku LIMIT 1`,
  );
  productId = found[0]!.id;
  categoryId = found[0]!.categoryId;
});

/** A vacuum leaves out what some other work, such as the server's own analysing, could still have to see as it was. */
async function vacuum(): Promise<void> {
  await own.db.sequelize.query('VACUUM ANALYZE products, stock_items, categories');
  const [products] = await rows<{ pages: number; visible: number }>(
    own.db,
    `SELECT relpages AS pages, relallvisible AS visible FROM pg_class WHERE relname = 'products'`,
  );
  expect(products!.visible).toBe(products!.pages);
}

/** The plan of the one statement that `read` sends. */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  const asked = jest.spyOn(own.db.sequelize, 'query');
  await read();
  expect(asked).toHaveBeenCalledTimes(1);
  const [text, options] = asked.mock.calls[0] as unknown as [string, { bind: unknown[] }];
  asked.mockRestore();
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
    bind: options.bind,
    type: QueryTypes.SELECT,
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

const newest: ProductOrder = { by: 'createdAt', direction: 'desc' };
const cases: Record<string, [() => ProductFilter, ProductOrder]> = {
  'the newest': [() => ({}), newest],
  'the cheapest': [() => ({}), { by: 'price', direction: 'asc' }],
  'by name': [() => ({}), { by: 'name', direction: 'asc' }],
  'the most popular': [() => ({}), { by: 'popularity', direction: 'desc' }],
  'in stock': [() => ({ status: 'ACTIVE' }), newest],
  'out of stock': [() => ({ status: 'OUT_OF_STOCK' }), newest],
  'a category': [() => ({ categoryId }), newest],
  'a category by price': [() => ({ categoryId, status: 'ACTIVE' }), { by: 'price', direction: 'asc' }],
  'a range of prices': [() => ({ minPriceMinor: 1_000, maxPriceMinor: 1_500 }), newest],
  'a tag': [() => ({ tags: ['tag7'] }), newest],
  'a word': [() => ({ search: 'fword83' }), newest],
  'the beginning of a word': [() => ({ search: 'fwo' }), newest],
  'two words and a status': [
    () => ({ search: 'fword83 thing', status: 'ACTIVE' }),
    { by: 'name', direction: 'asc' },
  ],
  'only an exclusion': [() => ({ search: '-fword83' }), newest],
};

test.each(Object.entries(cases))('%s: no plan reads all products', async (_name, [filter, order]) => {
  const plan = await planOf(() => listProducts(own.db, filter(), order, { limit: 20, offset: 0 }));
  expect(plan).not.toMatch(/Seq Scan on (products|product_images|product_variants)/);
});

test('one product: no plan reads all of anything', async () => {
  const plan = await planOf(() => productDetail(own.db, productId));
  expect(plan).not.toMatch(/Seq Scan on (products|stock_items)/);
});
