import { escapeLiteral } from 'pg';
import { QueryTypes } from 'sequelize';
import { activeCategories, categoryDetail } from '../../../db/catalog/shop/shop-category.reads';
import type { ProductFilter } from '../../../db/catalog/shop/shop-product-filter.reads';
import { productsAfter } from '../../../db/catalog/product/administered-product-list.reads';
import { listProducts, type ProductOrder } from '../../../db/catalog/shop/shop-product-list.reads';
import { productDetail } from '../../../db/catalog/shop/shop-product.reads';
import { administeredReviews, type ReviewFilter } from '../../../db/catalog/review/administered-review.reads';
import { publishedReviews, type ReviewSort } from '../../../db/catalog/review/published-review.reads';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

describe('plans for the catalogue', () => {
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
    await vacuum(own.owner, 'products', 'stock_items', 'categories', 'catalogue_counts');
    const found = await rows<{ id: string; categoryId: string; topId: string }>(
      own.db,
      `SELECT p.id, p.category_id, c.parent_id AS top_id
     FROM products p JOIN categories c ON c.id = p.category_id
     WHERE p.status = 'ACTIVE' AND c.parent_id IS NOT NULL ORDER BY p.sku LIMIT 1`,
    );
    productId = found[0]!.id;
    categoryId = found[0]!.categoryId;
    topId = found[0]!.topId;
  });

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
    'a category with subcategories by name': [
      () => ({ categoryId: topId }),
      { by: 'name', direction: 'asc' },
    ],
    'a category with subcategories by price': [
      () => ({ categoryId: topId }),
      { by: 'price', direction: 'desc' },
    ],
    'the most popular of a category': [
      () => ({ categoryId: topId }),
      { by: 'popularity', direction: 'desc' },
    ],
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

  test.each([
    ['of all', () => ({}), 'products_name_idx'],
    ['of a category', () => ({ categoryId: topId }), 'products_category_name_idx'],
  ])('by name, those %s are read from the index in its order', async (_which, filter, index) => {
    for (const direction of ['asc', 'desc'] as const) {
      const order = { by: 'name', direction } as const;
      const plan = await planOf(() => listProducts(own.db, filter(), order, { limit: 20, offset: 0 }));
      expect(plan).toMatch(new RegExp(`Limit[^]*Index Only Scan.* using ${index}`));
    }
  });

  test('administration, a part of a name: the index of trigrams is read', async () => {
    const plan = await planOf(() => productsAfter(own.db, { search: 'fwórd83 thing 40' }, null, 20));
    expect(plan).toMatch(/products_administration_search_idx/);
    expect(plan).not.toMatch(/Seq Scan on products/);
  });
});

describe('plans for reviews', () => {
  const own = ownDatabase();
  let productId = '';
  let userId = '';

  /** 20 products, 20,000 people, two reviews by each, orders and votes: enough for realistic plans. */
  beforeAll(async () => {
    const { db } = own;
    for (let n = 0; n < 20; n++) await make.product(db);
    const methodId = await make.shippingMethod(db);
    await execute(
      db,
      `INSERT INTO users (id, region, email, status, roles, first_name, last_name, created_at, updated_at)
     SELECT gen_random_uuid(), 'EU', 'reviewer' || n || '@example.com', 'ACTIVE', '{USER}', 'Ada', 'L', now(), now()
     FROM generate_series(1, 20000) n`,
    );
    await execute(
      db,
      `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, shipping_method_id,
       shipping_method_name, shipping_address, created_at, updated_at)
     SELECT gen_random_uuid(), 'O-' || u.email, u.id, 'DELIVERED', 'PAID', 'USD', 1, 0, 0, 0, 1, 'CARD', now(), $1,
       'Parcel', '{}', now(), now() FROM users u`,
      [methodId],
    );
    await execute(
      db,
      `INSERT INTO order_items (id, order_id, position, product_id, name, sku, quantity, unit_price_minor, total_minor,
       discount_minor, tax_minor, commission_bp, career_points_bp)
     SELECT gen_random_uuid(), o.id, p.position, p.id, 'x', 'x', 1, 1, 1, 0, 0, 0, 0
     FROM orders o, LATERAL (SELECT id, row_number() OVER () AS position FROM products LIMIT 3) p`,
    );
    await execute(
      db,
      `INSERT INTO reviews (id, product_id, user_id, rating, content, status, helpful_count, created_at)
     SELECT gen_random_uuid(), p.id, u.id, 1 + (random() * 4)::int, 'word' || (random() * 9999)::int || ' about it.',
       CASE WHEN random() < 0.02 THEN 'PENDING' ELSE 'PUBLISHED' END, (random() * 50)::int,
       now() - random() * interval '300 days'
     FROM users u, LATERAL (SELECT id FROM products ORDER BY md5(u.id::text || id::text) LIMIT 2) p`,
    );
    await execute(
      db,
      `INSERT INTO review_votes (review_id, user_id, created_at)
     SELECT r.id, u.id, now() FROM (SELECT id FROM reviews LIMIT 1000) r, (SELECT id FROM users LIMIT 20) u`,
    );
    await own.owner.sequelize.query('ANALYZE users, orders, order_items, reviews, review_votes, products');
    const review = await firstRow<{ productId: string; userId: string }>(
      db,
      'SELECT product_id, user_id FROM reviews LIMIT 1',
    );
    productId = review!.productId;
    userId = review!.userId;
  });

  /** The plans of all statements that `read` sends. */
  async function plansOf(read: () => Promise<unknown>): Promise<string[]> {
    const sent = jest.spyOn(own.db.sequelize, 'query');
    await read();
    const statements = sent.mock.calls as unknown as [string, { bind: unknown[] }][];
    sent.mockRestore();
    const plans: string[] = [];
    for (const [text, { bind }] of statements) {
      const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
        bind,
        type: QueryTypes.SELECT,
      });
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    }
    return plans;
  }

  const READS_ALL = /Seq Scan on (reviews|review_votes|users|orders|order_items)/;
  const indexOf: Record<ReviewSort, string> = {
    createdAt: 'reviews_product_created_idx',
    rating: 'reviews_product_rating_idx',
    helpful: 'reviews_product_helpful_idx',
  };
  const orders = (['createdAt', 'rating', 'helpful'] as const).flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
  );

  test.each(orders)(
    'a product’s reviews, %p: read from the index in its order',
    async ({ sortBy, sortOrder }) => {
      const page = { rating: undefined, sortBy, sortOrder, limit: 20, offset: 0 };
      const [plan, ...more] = await plansOf(() => publishedReviews(own.db, productId, userId, page));
      expect(more).toEqual([]);
      expect(plan).toMatch(new RegExp(`Index Scan.* using ${indexOf[sortBy]}`));
      expect(plan).not.toMatch(READS_ALL);
    },
  );

  test.each(orders)('those of one rating, %p: no plan reads all', async ({ sortBy, sortOrder }) => {
    const page = { rating: 3, sortBy, sortOrder, limit: 20, offset: 0 };
    const [plan] = await plansOf(() => publishedReviews(own.db, productId, null, page));
    expect(plan).toMatch(/reviews_product_\w+_idx/);
    expect(plan).not.toMatch(READS_ALL);
  });

  const filters: [string, () => ReviewFilter][] = [
    ['those that wait', () => ({ status: 'PENDING' })],
    ['of one product', () => ({ productId })],
    ['that wait, of one product', () => ({ productId, status: 'PENDING' })],
    ['with a word', () => ({ search: 'word1234' })],
  ];

  test.each(filters)('administration, %s: no plan reads all', async (_name, filter) => {
    const window = { sortOrder: 'desc', limit: 20, offset: 0 } as const;
    const plans = await plansOf(() => administeredReviews(own.db, filter(), window));
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).not.toMatch(READS_ALL);
  });

  test('administration, the newest: the page is read from the index', async () => {
    const window = { sortOrder: 'desc', limit: 20, offset: 0 } as const;
    const [, page] = await plansOf(() => administeredReviews(own.db, {}, window));
    expect(page).toMatch(/reviews_created_idx/);
    expect(page).not.toMatch(READS_ALL);
  });
});
