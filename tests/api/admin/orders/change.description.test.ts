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

const url = 'https://post.example.com/1';

describe('PATCH /admin/orders/:id without a status', () => {
  it('changes the tracking data, and mails the buyer when requested', async () => {
    const { ada, orderId, orderNumber } = await administration.sold('SHIPPED');
    const answer = await administration.change(orderId, {
      trackingNumber: 'A1',
      trackingUrl: url,
      notifyCustomer: true,
    });
    expect(outcomeOf(answer)).toBe('200');
    expect(answer.body.data).toMatchObject({ status: 'SHIPPED', trackingNumber: 'A1' });
    const tracking = (await ada.get(`/orders/${orderId}/tracking`)).body.data;
    expect(tracking).toMatchObject({ trackingNumber: 'A1', trackingUrl: url });
    expect(tracking.events).toHaveLength(1);
    const [mail, ...more] = await administration.mailsOf(orderId);
    expect([mail!.about, mail!.subject, more]).toEqual(['said', `Your order ${orderNumber} has news`, []]);
    for (const text of ['A1', url]) expect(mail!.text).toContain(text);
    expect((await administration.recordsOf(orderId)).at(-1)).toEqual({
      actor: administration.admin.id,
      action: 'order.describe',
      previous: { trackingNumber: null, trackingUrl: null },
      next: { trackingNumber: 'A1', trackingUrl: url, notifyCustomer: true },
    });
  });

  it('removes fields that are null, and leaves fields that are left out', async () => {
    const { orderId } = await administration.sold();
    await administration.change(orderId, { trackingNumber: 'A1', trackingUrl: url });
    const answer = await administration.change(orderId, { trackingUrl: null });
    expect(answer.body.data).toMatchObject({ status: 'PROCESSING', trackingNumber: 'A1' });
    const sent = await administration.change(orderId, { status: 'SHIPPED', trackingNumber: null });
    expect(sent.body.data).toMatchObject({ status: 'SHIPPED', trackingNumber: null });
  });

  it.each(['unpaid', 'delivered'] as const)('notes something of an order that is %s', async (kind) => {
    const { ada, orderId } = await (kind === 'unpaid'
      ? administration.unpaid()
      : administration.sold('SHIPPED', 'DELIVERED'));
    const before = await orderRow(administration.world, orderId);
    expect(outcomeOf(await administration.change(orderId, { note: 'They rang.' }))).toBe('200');
    await administration.change(orderId, { note: 'They rang twice.' });
    expect(await orderRow(administration.world, orderId)).toEqual(before);
    const { statusHistory } = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(statusHistory.at(-1)).toMatchObject({ status: before.status, note: 'They rang twice.' });
    expect((await administration.recordsOf(orderId)).slice(-2).map(({ previous }) => previous)).toEqual([
      { note: null },
      { note: 'They rang.' },
    ]);
  });

  it('values that are there already change nothing, and are neither mailed nor recorded', async () => {
    const { orderId } = await administration.sold();
    const first = await administration.change(orderId, { trackingNumber: 'A1', note: 'Soon.' });
    const again = { trackingNumber: 'A1', note: 'Soon.', notifyCustomer: true };
    expect((await administration.change(orderId, again)).body.data).toEqual(first.body.data);
    expect((await administration.change(orderId, {})).body.data).toEqual(first.body.data);
    expect(await administration.recordsOf(orderId)).toHaveLength(1);
    expect(await administration.mailsOf(orderId)).toEqual([]);
  });

  it('an order that is cancelled has no parcel: VALIDATION_ERROR', async () => {
    const { orderId } = await administration.unpaid();
    await administration.change(orderId, { status: 'CANCELLED' });
    const answer = await administration.change(orderId, { trackingNumber: 'A1', trackingUrl: url });
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details).sort()).toEqual(['trackingNumber', 'trackingUrl']);
  });
});
