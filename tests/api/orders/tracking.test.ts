import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute } from '../../../db/sql/query';
import { startOrderAdministration, type OrderAdministration } from '../admin/orders/order-administration';
import { outcomeOf } from '../admin/admin-world';
import { shopper } from '../../support/builders/shop';

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

describe('GET /orders/:id/tracking', () => {
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
    expect(outcomeOf(await bob.get('/orders/nope/tracking'))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await administration.ask('get', `/orders/${orderId}/tracking`, undefined, null))).toBe(
      '401 UNAUTHORIZED',
    );
  });
});
