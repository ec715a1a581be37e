import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration, type Sold } from './order-administration';

let administration: OrderAdministration;
/** By their age: the first is the newest. */
let orders: Record<'unpaid' | 'processing' | 'shipped' | 'cancelled', Sold>;
beforeAll(async () => {
  administration = await startOrderAdministration();
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
afterAll(() => administration.world.teardown());

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

describe('GET /admin/orders', () => {
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

  it('shows pages; the summary is of all of them', async () => {
    const { names, summary, pagination } = await list('?pageSize=3&page=2');
    expect([names, summary.totalOrders, pagination.totalPages]).toEqual([['cancelled'], 4, 2]);
  });

  it.each([
    ['status=SHIPPED', ['shipped'], 30],
    ['paymentStatus=PAID', ['processing', 'shipped'], 60],
    ['paymentStatus=REFUNDED', ['cancelled'], 0],
    ['status=PENDING_PAYMENT&paymentStatus=PAID', [], 0],
    ['dateFrom=2026-03-08&dateTo=2026-03-08T12:00:00Z', ['processing'], 30],
    ['dateTo=2026-03-07T11:59:59Z', ['cancelled'], 0],
  ])('filters by %s, and the summary with it', async (query, expected, revenue) => {
    const { names, summary } = await list(`?${query}`);
    expect(names).toEqual(expected);
    expect(summary).toMatchObject({ totalOrders: expected.length, totalRevenue: revenue });
  });

  it('finds a person’s orders, by id, by number and by part of the address', async () => {
    const { ada, orderNumber } = orders.shipped;
    const found = await Promise.all(
      [
        `?userId=${ada.buyer.id}`,
        `?search=${orderNumber.toLowerCase()}`,
        `?search=${encodeURIComponent(ada.buyer.email.toUpperCase())}`,
        `?search=${encodeURIComponent(ada.buyer.email.slice(1))}&status=SHIPPED`,
      ].map(async (query) => (await list(query)).names),
    );
    expect(found).toEqual([['shipped'], ['shipped'], ['shipped'], ['shipped']]);
  });

  it.each(['%', '_', '\\', "'"])('takes %s in a search literally', async (search) => {
    expect((await list(`?search=${encodeURIComponent(search)}`)).names).toEqual([]);
  });

  it.each(['status=LOST', 'paymentStatus=LATE', 'userId=me', 'page=0', 'pageSize=101', 'dateTo=soon'])(
    'refuses %s: VALIDATION_ERROR',
    async (query) => {
      const answer = await administration.ask('get', `/admin/orders?${query}`);
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(Object.keys(answer.body.error.details)).toEqual([query.split('=')[0]]);
    },
  );

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
