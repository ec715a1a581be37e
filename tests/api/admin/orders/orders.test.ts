import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { orderRow } from '../../../support/builders/sandbox';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration, type Sold } from './order-administration';

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

describe('POST /admin/orders/:id/tracking-events', () => {
  const Added = z.strictObject({
    id: z.uuid(),
    orderId: z.uuid(),
    status: z.string(),
    location: z.string().nullable(),
    description: z.string(),
    timestamp: z.iso.datetime(),
  });
  const add = (orderId: string, body: object, token?: string | null) =>
    administration.ask('post', `/admin/orders/${orderId}/tracking-events`, body, token);
  const arrived = { status: 'IN_TRANSIT', description: 'Sorted.' };

  it('adds an event of the carrier; the buyer sees it in its place', async () => {
    const { ada, orderId } = await administration.sold('SHIPPED');
    const before = Date.now();
    const now = await add(orderId, { ...arrived, location: ' Leipzig ' });
    expect(outcomeOf(now)).toBe('201');
    const added = Added.parse(now.body.data);
    expect(added).toMatchObject({ orderId, ...arrived, location: 'Leipzig' });
    expect(Date.parse(added.timestamp)).toBeGreaterThanOrEqual(before);
    const earlier = (await ada.get(`/orders/${orderId}`)).body.data.createdAt as string;
    const earlierEvent = await add(orderId, { ...arrived, description: 'Announced.', timestamp: earlier });
    expect(earlierEvent.body.data).toMatchObject({ location: null, timestamp: earlier });
    const { events } = (await ada.get(`/orders/${orderId}/tracking`)).body.data;
    expect(events.map((event: { description: string }) => event.description)).toEqual([
      'Sorted.',
      'The parcel has left and is on its way.',
      'Announced.',
    ]);
    expect((await administration.recordsOf(orderId)).at(-1)).toMatchObject({
      actor: administration.admin.id,
      action: 'order.add-tracking-event',
      previous: null,
      next: { status: 'IN_TRANSIT', description: 'Announced.' },
    });
  });

  it('does not move the order, whatever it says', async () => {
    const { ada, orderId } = await administration.sold('SHIPPED');
    expect(outcomeOf(await add(orderId, { status: 'DELIVERED', description: 'With a neighbour.' }))).toBe(
      '201',
    );
    expect((await orderRow(administration.world, orderId)).status).toBe('SHIPPED');
    expect((await ada.get(`/orders/${orderId}/tracking`)).body.data.deliveredAt).toBeNull();
  });

  it('adds an event once for one key', async () => {
    const { ada, orderId } = await administration.sold('SHIPPED');
    const key = randomUUID();
    const send = () =>
      administration.world.http
        .post(`/api/v1/admin/orders/${orderId}/tracking-events`)
        .auth(administration.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', key)
        .send(arrived);
    const [first, again] = [await send(), await send()];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await ada.get(`/orders/${orderId}/tracking`)).body.data.events).toHaveLength(2);
  });

  it('an order that has not been shipped has no events: VALIDATION_ERROR', async () => {
    for (const { orderId } of [await administration.unpaid(), await administration.sold()]) {
      const answer = await add(orderId, arrived);
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual({ reason: 'ORDER_NOT_SHIPPED' });
      expect(await administration.recordsOf(orderId)).toEqual([]);
    }
  });

  it.each([
    [{ status: 'LOST', description: 'x' }, ['status']],
    [{ status: 'IN_TRANSIT' }, ['description']],
    [{ ...arrived, description: ' ' }, ['description']],
    [{ ...arrived, description: 'x'.repeat(501), location: 'x'.repeat(201) }, ['description', 'location']],
    [{ ...arrived, timestamp: 'yesterday' }, ['timestamp']],
    [{ ...arrived, timestamp: '2999-01-01T00:00:00Z' }, ['timestamp']],
    [{ ...arrived, timestamp: '0000-01-01' }, ['timestamp']],
  ])('refuses %j: VALIDATION_ERROR', async (body, fields) => {
    const { orderId } = await administration.unpaid();
    const answer = await add(orderId, body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details).sort()).toEqual(fields);
  });

  it('is for administrators, on orders that there are: ORDER_NOT_FOUND', async () => {
    const { ada, orderId } = await administration.sold('SHIPPED');
    expect(outcomeOf(await add(randomUUID(), arrived))).toBe('404 ORDER_NOT_FOUND');
    expect(outcomeOf(await add(orderId, arrived, ada.token))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await add(orderId, arrived, null))).toBe('401 UNAUTHORIZED');
  });
});
