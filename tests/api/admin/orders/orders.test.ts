import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { violations } from '../../../support/checks/violations';
import { orderRow } from '../../../support/builders/sandbox';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration } from './order-administration';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
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
      expect(answer.body.error.reason).toBe('ORDER_NOT_SHIPPED');
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
