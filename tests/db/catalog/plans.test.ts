import { escapeLiteral } from 'pg';
import { activeCategories, categoryDetail } from '../../../db/catalog/category/shop-category.reads';
import { listProducts, type ProductOrder } from '../../../db/catalog/product/shop-product-list.reads';
import type { ProductFilter } from '../../../db/catalog/product/shop-product-filter.reads';
import { productDetail } from '../../../db/catalog/product/shop-product.reads';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';
import { eventually } from '../../support/checks/eventually';

const own = ownDatabase();
const PRODUCTS = 100_000;
/** One of the eight at the top, with four below it, and the product’s own. */
let topId = '';
let categoryId = '';
let productId = '';

/** Enough products, with words, tags and prices spread over them, for realistic plans. */
beforeAll(async () => {
  await execute(
    own.db,
    `INSERT INTO categories (id, parent_id, name, slug, created_at, updated_at)
     SELECT md5('c' || n)::uuid, CASE WHEN n >= 8 THEN md5('c' || n % 8)::uuid END, 'Category ' || n, 'category-' || n,
       now(), now() FROM generate_series(0, 39) n`,
  );
  await execute(
    own.db,
    `INSERT INTO products (id, category_id, name, slug, sku, description, price_minor, status, track_inventory, tags,
       commission_bp, career_points_bp, units_sold_90d, created_at, updated_at)
     SELECT gen_random_uuid(), md5('c' || n % 40)::uuid,
       chr(97 + n % 26) || 'word' || n % 500 || ' thing ' || n, 'slug-' || n, 'SKU-' || n, repeat('Made to last for years. ', 3), n * 7 % 50000,
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
  const found = await rows<{ id: string; categoryId: string; topId: string }>(
    own.db,
    `SELECT p.id, p.category_id, c.parent_id AS top_id
     FROM products p JOIN categories c ON c.id = p.category_id
     WHERE p.status = 'ACTIVE' AND c.parent_id IS NOT NULL ORDER BY p.sku LIMIT 1`,
  );
  productId = found[0]!.id;
  categoryId = found[0]!.categoryId;
  topId = found[0]!.topId;
}, 60_000);

/** A vacuum leaves out what some other work, such as the server's own analysing, could still have to see as it was. */
async function vacuum(): Promise<void> {
  await own.owner.sequelize.query('VACUUM ANALYZE products, stock_items, categories, catalogue_counts');
  const [products] = await rows<{ pages: number; visible: number }>(
    own.db,
    `SELECT relpages AS pages, relallvisible AS visible FROM pg_class WHERE relname = 'products'`,
  );
  expect(products!.visible).toBe(products!.pages);
}

const literal = (value: unknown): string =>
  Array.isArray(value) ? `ARRAY[${value.map(literal).join()}]::text[]` : escapeLiteral(String(value));

/**
 * The plans of the one statement that `read` sends: the first, for these values, and the one that the server settles on
 * once it has seen it often enough, which may be one for any values.
 */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  expect(sent).toHaveBeenCalledTimes(1);
  const [text, options] = sent.mock.calls[0] as unknown as [string, { bind: unknown[] }];
  sent.mockRestore();
  return inTransaction(own.db, async (tx) => {
    const { transaction } = tx;
    await own.db.sequelize.query(`PREPARE probe AS ${text}`, { transaction }); // Its values come with EXECUTE.
    const values = options.bind.map(literal).join();
    const explain = `EXPLAIN EXECUTE probe${values && `(${values})`}`;
    const plans: string[] = [];
    for (let time = 1; time <= 7; time++) {
      const lines = await rows<{ 'QUERY PLAN': string }>(tx, explain);
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    }
    await execute(tx, 'DEALLOCATE probe');
    return `${plans[0]!}\n${plans[6]!}`;
  });
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
  'a category with subcategories': [() => ({ categoryId: topId }), newest],
  'a category with subcategories by name': [() => ({ categoryId: topId }), { by: 'name', direction: 'asc' }],
  'a category with subcategories by price': [
    () => ({ categoryId: topId }),
    { by: 'price', direction: 'desc' },
  ],
  'the most popular of a category': [() => ({ categoryId: topId }), { by: 'popularity', direction: 'desc' }],
  'a category, prices and tags': [
    () => ({ categoryId: topId, minPriceMinor: 1_000, maxPriceMinor: 9_000, tags: ['tag7', 'tag8'] }),
    newest,
  ],
  'a category, prices and no tag': [
    () => ({ categoryId: topId, minPriceMinor: 1_000 }),
    { by: 'price', direction: 'asc' },
  ],
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
  for (const window of [
    { limit: 20, offset: 0 },
    { limit: 50, offset: 150 },
  ]) {
    const plan = await planOf(() => listProducts(own.db, filter(), order, window));
    expect(plan).not.toMatch(/Seq Scan on (products|product_images|product_variants)/);
  }
});

test('one product: no plan reads a whole table', async () => {
  const plan = await planOf(() => productDetail(own.db, productId));
  expect(plan).not.toMatch(/Seq Scan on (products|stock_items)/);
});

test('a category’s page: no plan reads all products', async () => {
  const plan = await planOf(() => categoryDetail(own.db, topId));
  expect(plan).not.toMatch(/Seq Scan on products/);
});

test('the tree of categories with its counts: no product is read', async () => {
  expect(await planOf(() => activeCategories(own.db, { countProducts: true }))).not.toMatch(/products/);
});

test('without filters besides a category, only as many products are read as the page requires', async () => {
  for (const filter of [{}, { categoryId: topId }]) {
    const plan = await planOf(() => listProducts(own.db, filter, newest, { limit: 20, offset: 0 }));
    expect(plan).toMatch(/on catalogue_counts/);
    expect(plan).toMatch(/Limit[^]*Index Only Scan Backward using products_(category|created)_idx/);
  }
});
