import { adminOrders } from '../../../../db/commerce/order-administration/order-list.reads';
import { orderConditions } from '../../../../db/commerce/order-administration/order-filter.reads';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const ORDERS = 20_000;

/** Orders of as many buyers, each with one line and one parcel, for realistic plans. */
beforeAll(async () => {
  const methodId = await make.shippingMethod(own.db);
  const { id: productId } = await make.product(own.db);
  await execute(
    own.db,
    `INSERT INTO users (id, region, email, first_name, last_name, status, created_at, updated_at)
     SELECT md5('u' || n)::uuid, 'EU', 'person' || n || '@shop.example', 'Name' || n % 700, 'Family' || n, 'ACTIVE', now(), now()
       FROM generate_series(1, ${ORDERS}) n`,
  );
  await execute(
    own.db,
    `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, shipping_method_id,
       shipping_method_name, shipping_address, created_at, updated_at)
     SELECT md5('o' || n)::uuid, 'ORD-2026-' || lpad(n::text, 8, '0'), md5('u' || n)::uuid,
       CASE n % 100 WHEN 0 THEN 'PROCESSING' ELSE 'DELIVERED' END, 'PAID', 'USD', n, 0, 0, 0, n, 'CARD', now(), $1::uuid,
       'Post', jsonb_build_object('recipientName', 'Recipient ' || n), now() - n * interval '1 minute', now()
       FROM generate_series(1, ${ORDERS}) n`,
    [methodId],
  );
  await execute(
    own.db,
    `INSERT INTO order_items (id, order_id, position, product_id, name, sku, quantity, unit_price_minor, total_minor,
       discount_minor, tax_minor, commission_bp, career_points_bp)
     SELECT gen_random_uuid(), md5('o' || n)::uuid, 0, $1::uuid, 'Thing', 'SKU-' || n, 1, n, n, 0, 0, 0, 0
       FROM generate_series(1, ${ORDERS}) n`,
    [productId],
  );
  await execute(
    own.db,
    `INSERT INTO shipments (order_id, tracking_number, updated_at)
     SELECT md5('o' || n)::uuid, 'PARCEL' || n, now() FROM generate_series(1, ${ORDERS}) n`,
  );
  await vacuum(own.owner, 'users', 'orders', 'order_items', 'shipments');
});

async function planOf(filter: Parameters<typeof orderConditions>[0]): Promise<string> {
  const values: unknown[] = [];
  const where = orderConditions(filter, (value) => `$${values.push(value)}`);
  const lines = await rows<{ 'QUERY PLAN': string }>(
    own.db,
    `EXPLAIN SELECT o.* FROM orders o WHERE ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT 20`,
    values,
  );
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

const numbersOf = async (search: string) => {
  const page = { sortBy: 'createdAt', sortOrder: 'desc', limit: 5, offset: 0 } as const;
  return (await adminOrders(own.db, { search }, page)).orders.map(({ orderNumber }) => orderNumber);
};

test.each([
  'family12345',
  'ORD-2026-00012345',
  '12345',
  'person12345@',
  'recipient 12345',
  'sku-12345',
  'parcel12345',
])(
  'a search for %s reads the index of each thing that it looks for, and no table as a whole',
  async (search) => {
    const plan = await planOf({ search });
    for (const index of [
      'orders_search_idx',
      'users_search_idx',
      'order_items_sku_search_idx',
      'shipments_tracking_search_idx',
    ])
      expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
    expect(await numbersOf(search)).toEqual(['ORD-2026-00012345']);
  },
);

test('an id is read by the key, and the orders of a few statuses by theirs', async () => {
  expect(await planOf({ search: '0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70' })).toContain('orders_pkey');
  const open = await planOf({ statuses: ['PAID', 'PROCESSING'] });
  expect(open).toMatch(/orders_status_idx|orders_created_idx/);
  expect(open).not.toContain('Seq Scan');
});
