import { z } from 'zod';
import { execute, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { outcomeOf } from '../../admin-world';
import { startOrderAdministration, type OrderAdministration, type Sold } from '../order-administration';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

describe('GET /admin/orders', () => {
  /** By their age: the first is the newest. */
  let orders: Record<'unpaid' | 'processing' | 'shipped' | 'cancelled', Sold>;
  beforeAll(async () => {
    orders = {
      unpaid: await administration.unpaid(),
      processing: await administration.sold(),
      shipped: await administration.sold('SHIPPED'),
      cancelled: await administration.sold(),
    };
    await administration.change(orders.cancelled.orderId, { status: 'CANCELLED' });
    for (const [i, { orderId }] of Object.values(orders).entries())
      await execute(administration.world.db, 'UPDATE orders SET created_at = $2 WHERE id = $1', [
        orderId,
        `2026-03-0${9 - i}T12:00:00Z`,
      ]);
  });

  const Order = z.strictObject({
    id: z.uuid(),
    orderNumber: z.string(),
    user: z.strictObject({ id: z.uuid(), email: z.string(), name: z.string() }),
    status: z.string(),
    paymentStatus: z.string(),
    itemCount: z.number().int(),
    total: z.number(),
    currency: z.string(),
    shippingMethod: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  });
  const Listed = z.strictObject({
    orders: z.array(Order),
    summary: z.strictObject({
      totalOrders: z.number().int(),
      totalRevenue: z.number(),
      pendingPayment: z.number().int(),
      processing: z.number().int(),
      shipped: z.number().int(),
    }),
  });

  async function list(query = '') {
    const { status, body } = await administration.ask('get', `/admin/orders${query}`);
    expect(status).toBe(200);
    const { orders: found, summary } = Listed.parse(body.data);
    const nameOf = (id: string) => Object.entries(orders).find(([, { orderId }]) => orderId === id)?.[0];
    return { found, names: found.map(({ id }) => nameOf(id)), summary, pagination: body.meta.pagination };
  }

  /** Runs with amounts that no checkout made, and puts those back that the ledger has. */
  async function withRestored(run: () => Promise<void>): Promise<void> {
    const { db } = administration.world;
    const kept = await rows<{ id: string; shippingMinor: number; totalMinor: number }>(
      db,
      'SELECT id, shipping_minor, total_minor FROM orders',
    );
    await run();
    for (const { id, shippingMinor, totalMinor } of kept)
      await execute(db, 'UPDATE orders SET shipping_minor = $2, total_minor = $3 WHERE id = $1', [
        id,
        shippingMinor,
        totalMinor,
      ]);
  }

  it('lists everybody’s orders, newest first, with what they come to', async () => {
    const { found, names, summary, pagination } = await list();
    expect(names).toEqual(['unpaid', 'processing', 'shipped', 'cancelled']);
    const { buyer } = orders.processing.ada;
    expect(found[1]).toMatchObject({
      orderNumber: orders.processing.orderNumber,
      user: { id: buyer.id, email: buyer.email, name: expect.stringMatching(/\S+ \S+/) as string },
      status: 'PROCESSING',
      paymentStatus: 'PAID',
      itemCount: 1,
      total: 30,
      currency: 'USD',
    });
    expect(summary).toEqual({
      totalOrders: 4,
      totalRevenue: 60,
      pendingPayment: 1,
      processing: 1,
      shipped: 1,
    });
    expect(pagination).toMatchObject({ total: 4, page: 1, pageSize: 20 });
  });

  it('finds the orders that used a coupon, by its code in any case', async () => {
    const { db } = administration.world;
    const coupon = await make.coupon(db);
    await execute(
      db,
      'INSERT INTO order_coupons (order_id, coupon_id, code, discount_minor) VALUES ($1, $2, $3, 0)',
      [orders.shipped.orderId, coupon.id, coupon.code],
    );
    const [used, unused] = [
      await list(`?coupon=${coupon.code.toLowerCase()}`),
      await list('?coupon=NOBODYS'),
    ];
    await execute(db, 'DELETE FROM order_coupons WHERE coupon_id = $1', [coupon.id]);
    expect([used.names, used.summary.totalOrders, unused.names]).toEqual([['shipped'], 1, []]);
  });

  it('shows pages; the summary is of all of them', async () => {
    const { names, summary, pagination } = await list('?pageSize=3&page=2');
    expect([names, summary.totalOrders, pagination.totalPages]).toEqual([['cancelled'], 4, 2]);
  });

  it.each([
    ['status=SHIPPED', ['shipped'], 30],
    ['paymentStatus=PAID', ['processing', 'shipped'], 60],
    ['paymentStatus=REFUNDED', ['cancelled'], 0],
    ['status=PENDING_PAYMENT&paymentStatus=PAID', [], 0],
    ['status=SHIPPED,PENDING_PAYMENT', ['unpaid', 'shipped'], 30],
    ['status=ALL&paymentStatus=PENDING,REFUNDED', ['unpaid', 'cancelled'], 0],
    ['dateFrom=2026-03-08&dateTo=2026-03-08T12:00:00Z', ['processing'], 30],
    ['dateTo=2026-03-07T11:59:59Z', ['cancelled'], 0],
  ])('filters by %s, and the summary with it', async (query, expected, revenue) => {
    const { names, summary } = await list(`?${query}`);
    expect(names).toEqual(expected);
    expect(summary).toMatchObject({ totalOrders: expected.length, totalRevenue: revenue });
  });

  it('finds orders by what a person says: number or digits, id, buyer, recipient, SKU, tracking number', async () => {
    const { ada, orderId, orderNumber } = orders.shipped;
    const { db } = administration.world;
    await execute(db, `UPDATE users SET first_name = 'Berta', last_name = 'Benz' WHERE id = $1`, [
      ada.buyer.id,
    ]);
    await execute(
      db,
      `UPDATE orders SET shipping_address = shipping_address || '{"recipientName": "Carl Ü. Benz"}' WHERE id = $1`,
      [orderId],
    );
    await execute(db, `UPDATE order_items SET sku = 'Lamp-77' WHERE order_id = $1`, [orderId]);
    await administration.change(orderId, { trackingNumber: 'TRACK-0815' });
    const searches = [
      orderNumber.toLowerCase(),
      orderNumber.replace(/^.*-0*/, ''),
      orderId.toUpperCase(),
      ada.buyer.email.toUpperCase(),
      ada.buyer.email.slice(1),
      'berta',
      'Berta Benz',
      'carl ü',
      'lamp-7',
      'k-0815',
    ];
    for (const search of searches)
      expect([search, (await list(`?status=SHIPPED&search=${encodeURIComponent(search)}`)).names]).toEqual([
        search,
        ['shipped'],
      ]);
    expect((await list(`?userId=${ada.buyer.id}`)).names).toEqual(['shipped']);
    const elsewhere = ['Benz Berta', 'berta carl', 'TRACK 0815', orders.unpaid.ada.buyer.id];
    for (const search of elsewhere)
      expect((await list(`?search=${encodeURIComponent(search)}`)).names).toEqual([]);
  });

  it.each([
    ['sortBy=createdAt&sortOrder=asc', ['cancelled', 'shipped', 'processing', 'unpaid']],
    ['sortBy=total&sortOrder=desc', ['processing', 'unpaid', 'cancelled', 'shipped']],
    ['sortBy=total&sortOrder=asc&pageSize=2', ['shipped', 'cancelled']],
    ['sortBy=updatedAt', ['shipped', 'processing', 'unpaid', 'cancelled']],
  ])('sorts by %s', async (query, expected) => {
    const { db } = administration.world;
    const totals = { processing: 900, unpaid: 800, cancelled: 700, shipped: 600 };
    const touched = { shipped: 4, processing: 3, unpaid: 2, cancelled: 1 };
    await withRestored(async () => {
      for (const name of ['processing', 'unpaid', 'cancelled', 'shipped'] as const)
        await execute(
          db,
          `UPDATE orders SET shipping_minor = shipping_minor + $2 - total_minor, total_minor = $2,
             updated_at = '2026-04-01'::timestamptz + $3 * interval '1 day' WHERE id = $1`,
          [orders[name].orderId, 10_000 + totals[name], touched[name]],
        );
      expect((await list(`?${query}`)).names).toEqual(expected);
    });
  });

  it.each(['%%%', '___', '\\\\\\', "'''"])('takes %s in a search literally', async (search) => {
    expect((await list(`?search=${encodeURIComponent(search)}`)).names).toEqual([]);
  });

  it.each([
    'status=LOST',
    'status=PAID,',
    'status=ALL,PAID',
    'paymentStatus=LATE',
    'sortBy=number',
    'sortOrder=up',
    'userId=me',
    'page=0',
    'pageSize=101',
    'dateTo=soon',
    'search=ab',
    'search=%20a%20',
  ])('refuses %s: VALIDATION_ERROR', async (query) => {
    const answer = await administration.ask('get', `/admin/orders?${query}`);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details)).toEqual([query.split('=')[0]]);
  });

  it('is for administrators', async () => {
    expect((await administration.ask('get', '/admin/orders?pageSize=100')).status).toBe(200);
    expect(
      outcomeOf(await administration.ask('get', '/admin/orders', undefined, administration.tokens.user)),
    ).toBe('403 FORBIDDEN');
    expect(outcomeOf(await administration.ask('get', '/admin/orders', undefined, null))).toBe(
      '401 UNAUTHORIZED',
    );
  });
});
