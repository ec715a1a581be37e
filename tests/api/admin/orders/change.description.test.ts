import { violations } from '../../../support/checks/violations';
import { orderRow } from '../../../support/builders/sandbox';
import { verdict } from '../office';
import { startDesk, type Desk } from './desk';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(async () => {
  expect(await violations(desk.world.db)).toEqual([]);
  await desk.world.teardown();
});

const url = 'https://post.example.com/1';

describe('PATCH /admin/orders/:id without a status', () => {
  it('changes what is known of the parcel, and tells the buyer when wished', async () => {
    const { ada, orderId, orderNumber } = await desk.sold('SHIPPED');
    const answer = await desk.change(orderId, {
      trackingNumber: 'A1',
      trackingUrl: url,
      notifyCustomer: true,
    });
    expect(verdict(answer)).toBe('200');
    expect(answer.body.data).toMatchObject({ status: 'SHIPPED', trackingNumber: 'A1' });
    const tracking = (await ada.get(`/orders/${orderId}/tracking`)).body.data;
    expect(tracking).toMatchObject({ trackingNumber: 'A1', trackingUrl: url });
    expect(tracking.events).toHaveLength(1);
    const [mail, ...more] = await desk.mailsOf(orderId);
    expect([mail!.about, mail!.subject, more]).toEqual(['said', `Your order ${orderNumber} has news`, []]);
    for (const told of ['A1', url]) expect(mail!.text).toContain(told);
    expect((await desk.recordsOf(orderId)).at(-1)).toEqual({
      actor: desk.admin.id,
      action: 'order.describe',
      previous: { trackingNumber: null, trackingUrl: null },
      next: { trackingNumber: 'A1', trackingUrl: url, notifyCustomer: true },
    });
  });

  it('takes away what null is given for, and leaves what is left out', async () => {
    const { orderId } = await desk.sold();
    await desk.change(orderId, { trackingNumber: 'A1', trackingUrl: url });
    const answer = await desk.change(orderId, { trackingUrl: null });
    expect(answer.body.data).toMatchObject({ status: 'PROCESSING', trackingNumber: 'A1' });
    const sent = await desk.change(orderId, { status: 'SHIPPED', trackingNumber: null });
    expect(sent.body.data).toMatchObject({ status: 'SHIPPED', trackingNumber: null });
  });

  it.each(['unpaid', 'delivered'] as const)('notes something of an order that is %s', async (kind) => {
    const { ada, orderId } = await (kind === 'unpaid' ? desk.unpaid() : desk.sold('SHIPPED', 'DELIVERED'));
    const before = await orderRow(desk.world, orderId);
    expect(verdict(await desk.change(orderId, { note: 'They rang.' }))).toBe('200');
    await desk.change(orderId, { note: 'They rang twice.' });
    expect(await orderRow(desk.world, orderId)).toEqual(before);
    const { statusHistory } = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(statusHistory.at(-1)).toMatchObject({ status: before.status, note: 'They rang twice.' });
    expect((await desk.recordsOf(orderId)).slice(-2).map(({ previous }) => previous)).toEqual([
      { note: null },
      { note: 'They rang.' },
    ]);
  });

  it('what is so already changes nothing, tells nobody and is not recorded', async () => {
    const { orderId } = await desk.sold();
    const first = await desk.change(orderId, { trackingNumber: 'A1', note: 'Soon.' });
    const again = { trackingNumber: 'A1', note: 'Soon.', notifyCustomer: true };
    expect((await desk.change(orderId, again)).body.data).toEqual(first.body.data);
    expect((await desk.change(orderId, {})).body.data).toEqual(first.body.data);
    expect(await desk.recordsOf(orderId)).toHaveLength(1);
    expect(await desk.mailsOf(orderId)).toEqual([]);
  });

  it('an order that is cancelled has no parcel: VALIDATION_ERROR', async () => {
    const { orderId } = await desk.unpaid();
    await desk.change(orderId, { status: 'CANCELLED' });
    const answer = await desk.change(orderId, { trackingNumber: 'A1', trackingUrl: url });
    expect(verdict(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details).sort()).toEqual(['trackingNumber', 'trackingUrl']);
  });
});
