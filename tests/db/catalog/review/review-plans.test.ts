import { QueryTypes } from 'sequelize';
import {
  administeredReviews,
  type ReviewFilter,
} from '../../../../db/catalog/review/administered-review.reads';
import { publishedReviews, type ReviewSort } from '../../../../db/catalog/review/published-review.reads';
import { execute, firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

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
