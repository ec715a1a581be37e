import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { execute } from '../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { make } from '../../support/builders/make';
import { shopper, type Shopper } from '../../support/builders/shop';
import { ownWorld } from '../../support/worlds/world';
import { startOrderAdministration, type OrderAdministration } from '../admin/orders/order-administration';
import { outcomeOf } from '../admin/admin-world';

const world = ownWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

describe('GET /orders', () => {
  let ada: Shopper;
  let orderIds: string[];

  beforeAll(async () => {
    const product = await make.product(world.db);
    ada = await shopper(world, [{ productId: product.id }]);
    orderIds = [];
    for (let n = 0; n < 3; n++) {
      if (n > 0) await ada.post('/cart/items', { productId: product.id, quantity: 1 });
      const { orderId } = await ada.order();
      orderIds.unshift(orderId);
      await execute(world.db, `UPDATE orders SET created_at = $2 WHERE id = $1`, [
        orderId,
        `2026-03-0${n + 1}T12:00:00Z`,
      ]);
    }
  });

  const Summary = z.strictObject({
    id: z.uuid(),
    orderNumber: z.string(),
    status: z.string(),
    paymentStatus: z.string(),
    itemCount: z.number().int(),
    total: z.number(),
    currency: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  });
  const ids = (body: { data: { orders: { id: string }[] } }): string[] =>
    body.data.orders.map((order) => order.id);

  it('counts a whole day for `dateTo` without a time, and its millisecond with one', async () => {
    const [, second] = orderIds;
    await execute(world.db, `UPDATE orders SET created_at = $2 WHERE id = $1`, [
      second,
      '2026-03-02T23:59:59.999900Z',
    ]);
    const until = async (dateFrom: string, dateTo: string) =>
      ids((await ada.get(`/orders?dateFrom=${dateFrom}&dateTo=${dateTo}`)).body);
    expect(await until('2026-03-02', '2026-03-02')).toEqual([second]);
    expect(await until('2026-03-02', '2026-03-02T23:59:59.999Z')).toEqual([second]);
    expect(await until('2026-03-02', '2026-03-02T23:59:59.998Z')).toEqual([]);
    expect(await until('2026-03-02', '2026-03-01')).toEqual([]);
    await execute(world.db, `UPDATE orders SET created_at = $2 WHERE id = $1`, [
      second,
      '2026-03-02T12:00:00Z',
    ]);
  });

  it('lists own orders, newest first, in pages', async () => {
    const all = await ada.get('/orders');
    expect(all.status).toBe(200);
    expect(z.array(Summary).parse(all.body.data.orders)).toHaveLength(3);
    expect(ids(all.body)).toEqual(orderIds);
    expect(all.body.meta.pagination).toEqual({
      total: 3,
      page: 1,
      pageSize: 20,
      totalPages: 1,
      hasNext: false,
      hasPrevious: false,
    });
    const second = await ada.get('/orders?pageSize=2&page=2');
    expect(ids(second.body)).toEqual(orderIds.slice(2));
  });

  it('filters by status and by date', async () => {
    expect(ids((await ada.get('/orders?status=PENDING_PAYMENT')).body)).toHaveLength(3);
    expect(ids((await ada.get('/orders?status=SHIPPED')).body)).toEqual([]);
    const march2 = await ada.get('/orders?dateFrom=2026-03-02&dateTo=2026-03-02T23:59:59Z');
    expect(ids(march2.body)).toEqual([orderIds[1]]);
  });

  it.each(['status=LOST', 'page=0', 'pageSize=51', 'dateFrom=yesterday'])('refuses %s', async (query) => {
    const answer = await ada.get(`/orders?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details)).toEqual([query.split('=')[0]]);
  });

  it("shows only the caller's orders, and nothing without a token", async () => {
    const bob = await shopper(world, []);
    expect(ids((await bob.get('/orders')).body)).toEqual([]);
    expect((await world.http.get('/api/v1/orders')).body.error.code).toBe('UNAUTHORIZED');
  });
});

describe('GET /orders/:id', () => {
  const place = {
    street: z.string(),
    city: z.string(),
    region: z.string(),
    country: z.string(),
    postalCode: z.string(),
  };
  const Detail = z.strictObject({
    id: z.uuid(),
    orderNumber: z.string(),
    status: z.literal('PENDING_PAYMENT'),
    paymentStatus: z.literal('PENDING'),
    items: z.array(
      z.strictObject({
        id: z.uuid(),
        product: z.strictObject({
          id: z.uuid(),
          name: z.string(),
          sku: z.string(),
          thumbnailUrl: z.string().nullable(),
        }),
        variantId: z.uuid().nullable(),
        variantAttributes: z.record(z.string(), z.string()).nullable(),
        quantity: z.number(),
        refundedQuantity: z.number(),
        unitPrice: z.number(),
        totalPrice: z.number(),
      }),
    ),
    pricing: z.strictObject({
      subtotal: z.number(),
      discount: z.number(),
      shipping: z.number(),
      tax: z.number(),
      total: z.number(),
      currency: z.string(),
    }),
    shippingAddress: z.strictObject({ recipientName: z.string(), ...place, phone: z.string().nullable() }),
    billingAddress: z.strictObject(place).nullable(),
    shippingMethod: z.strictObject({
      name: z.string(),
      carrier: z.string().nullable(),
      estimatedDelivery: z.iso.date().nullable(),
    }),
    payment: z.strictObject({
      method: z.literal('CARD'),
      transactionId: z.null(),
      paidAt: z.null(),
      paymentUrl: z.url(),
      expiresAt: z.iso.datetime(),
    }),
    refunds: z.tuple([]),
    refundedAmount: z.literal(0),
    appliedCoupons: z.array(z.strictObject({ code: z.string(), discount: z.number() })),
    notes: z.string().nullable(),
    statusHistory: z.array(
      z.strictObject({ status: z.string(), changedAt: z.iso.datetime(), note: z.string().nullable() }),
    ),
    canCancel: z.literal(true),
    canRefund: z.literal(false),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  });

  it('shows the whole order, as it was ordered', async () => {
    const mug = await make.product(world.db, { name: 'Mug', priceMinor: 1_250 });
    const shirt = await make.product(world.db, { name: 'Shirt', stock: null });
    const red = await make.variant(world.db, shirt.id, {
      name: 'Red',
      priceMinor: 2_000,
      attributes: { colour: 'red' },
    });
    const ada = await shopper(world, [
      { productId: mug.id, quantity: 2 },
      { productId: shirt.id, variantId: red.id },
    ]);
    const billingAddressId = await make.address(world.db, ada.buyer.id, { city: 'Hamburg' });
    const { orderId } = await ada.order({ billingAddressId });

    const answer = await ada.get(`/orders/${orderId}`);

    expect(answer.status).toBe(200);
    const order = Detail.parse(answer.body.data);
    expect(
      order.items.map((item) => [item.product.name, item.quantity, item.unitPrice, item.totalPrice]),
    ).toEqual([
      ['Mug', 2, 12.5, 25],
      ['Shirt, Red', 1, 20, 20],
    ]);
    expect(order.items[1]).toMatchObject({ variantId: red.id, variantAttributes: { colour: 'red' } });
    expect(order.billingAddress?.city).toBe('Hamburg');
    expect(order.pricing).toMatchObject({ subtotal: 45, shipping: 5, total: 50, currency: 'USD' });
    expect(order.statusHistory).toHaveLength(1);
    expect(answer.headers['cache-control']).toContain('no-store');
  });

  it('takes an order’s number for its id, also where the order changes', async () => {
    const mug = await make.product(world.db);
    const ada = await shopper(world, [{ productId: mug.id }]);
    const { orderId, orderNumber } = await ada.order();
    for (const name of [orderNumber, orderNumber.toLowerCase(), orderId.toUpperCase()])
      expect((await ada.get(`/orders/${name}`)).body.data.id).toBe(orderId);
    const bob = await shopper(world, []);
    const foreign = await bob.get(`/orders/${orderNumber}`);
    expect(foreign.status).toBe(404);
    expect((await bob.get('/orders/ORD-2026-99999999')).body).toEqual(foreign.body);
    const cancelled = await ada.post(`/orders/${orderNumber}/cancel`, { reason: 'Ordered twice' });
    expect([cancelled.status, cancelled.body.data.orderId]).toEqual([200, orderId]);
  });

  it("refuses another's order like one that is none", async () => {
    const mug = await make.product(world.db);
    const ada = await shopper(world, [{ productId: mug.id }]);
    const { orderId } = await ada.order();
    const bob = await shopper(world, []);
    const foreign = await bob.get(`/orders/${orderId}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    expect((await bob.get(`/orders/${randomUUID()}`)).body).toEqual(foreign.body);
    expect((await bob.get('/orders/nope')).body).toEqual(foreign.body);
    expect((await world.http.get(`/api/v1/orders/${orderId}`)).body.error.code).toBe('UNAUTHORIZED');
  });
});

describe('GET /orders/:id/tracking', () => {
  let administration: OrderAdministration;
  beforeAll(async () => {
    administration = await startOrderAdministration();
  });
  afterAll(() => administration.world.teardown());

  const Tracking = z.strictObject({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: z.string(),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    estimatedDelivery: z.iso.date().nullable(),
    events: z.array(
      z.strictObject({
        status: z.string(),
        location: z.string().nullable(),
        description: z.string(),
        timestamp: z.iso.datetime(),
      }),
    ),
    shippedAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
  });

  it('shows where the parcel is, newest first, from leaving to arriving', async () => {
    const { ada, orderId, orderNumber } = await administration.sold('SHIPPED');
    const left = Tracking.parse((await ada.get(`/orders/${orderId}/tracking`)).body.data);
    expect(left).toMatchObject({
      orderId,
      orderNumber,
      status: 'SHIPPED',
      trackingNumber: null,
      trackingUrl: null,
      deliveredAt: null,
      events: [{ status: 'SHIPPED', location: null, timestamp: left.shippedAt }],
    });
    const { shippingMethod } = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(left).toMatchObject({
      carrier: shippingMethod.carrier,
      estimatedDelivery: shippingMethod.estimatedDelivery,
    });

    await administration.ask('post', `/admin/orders/${orderId}/tracking-events`, {
      status: 'OUT_FOR_DELIVERY',
      description: 'In the van.',
      location: 'Berlin',
    });
    await administration.change(orderId, { status: 'DELIVERED' });
    const answer = await ada.get(`/orders/${orderId}/tracking`);
    expect(answer.status).toBe(200);
    const arrived = Tracking.parse(answer.body.data);
    expect(arrived.events.map(({ status }) => status)).toEqual(['DELIVERED', 'OUT_FOR_DELIVERY', 'SHIPPED']);
    expect(arrived).toMatchObject({
      status: 'DELIVERED',
      shippedAt: left.shippedAt,
      deliveredAt: arrived.events[0]!.timestamp,
    });
    expect(answer.headers['cache-control']).toContain('no-store');
  });

  it('leads to the carrier’s page by its template, or where an administrator says', async () => {
    const { ada, orderId } = await administration.sold();
    await execute(
      administration.world.db,
      `UPDATE shipping_methods SET tracking_url_template = 'https://post.example.com/{trackingNumber}' WHERE id = $1`,
      [ada.methodId],
    );
    const urlAfter = async (change: object) => {
      expect((await administration.change(orderId, change)).status).toBe(200);
      return (await ada.get(`/orders/${orderId}/tracking`)).body.data.trackingUrl as string | null;
    };
    expect(await urlAfter({ status: 'SHIPPED' })).toBeNull();
    expect(await urlAfter({ trackingNumber: 'A 1' })).toBe('https://post.example.com/A%201');
    expect(await urlAfter({ trackingUrl: 'http://elsewhere.example.com/' })).toBe(
      'http://elsewhere.example.com/',
    );
    expect(await urlAfter({ trackingUrl: null })).toBe('https://post.example.com/A%201');
  });

  it('refuses an order that has not left: NOT_SHIPPED', async () => {
    for (const { ada, orderId } of [await administration.unpaid(), await administration.sold()])
      expect(outcomeOf(await ada.get(`/orders/${orderId}/tracking`))).toBe('400 NOT_SHIPPED');
  });

  it("knows no order of another's: ORDER_NOT_FOUND, the same as for none", async () => {
    const { orderId } = await administration.sold('SHIPPED');
    const bob = await shopper(administration.world, []);
    const foreign = await bob.get(`/orders/${orderId}/tracking`);
    expect(outcomeOf(foreign)).toBe('404 ORDER_NOT_FOUND');
    expect((await bob.get(`/orders/${randomUUID()}/tracking`)).body).toEqual(foreign.body);
    expect(outcomeOf(await bob.get('/orders/nope/tracking'))).toBe('404 ORDER_NOT_FOUND');
    expect(outcomeOf(await administration.ask('get', `/orders/${orderId}/tracking`, undefined, null))).toBe(
      '401 UNAUTHORIZED',
    );
  });
});
