import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow, press } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
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

const Changed = z.strictObject({
  id: z.uuid(),
  orderNumber: z.string(),
  status: z.string(),
  trackingNumber: z.string().nullable(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.uuid(),
});
const statusOf = async (orderId: string) => (await orderRow(desk.world, orderId)).status;
const historyOf = async (ada: Awaited<ReturnType<Desk['sold']>>['ada'], orderId: string) =>
  ((await ada.get(`/orders/${orderId}`)).body.data.statusHistory as { status: string; note: string }[]).map(
    ({ status, note }) => [status, note],
  );

describe('PATCH /admin/orders/:id', () => {
  it('sends an order off and delivers it; the buyer reads the notes and is told when wished', async () => {
    const { ada, orderId, orderNumber } = await desk.sold();
    const sent = await desk.change(orderId, {
      status: 'SHIPPED',
      trackingNumber: ' 0034 ',
      note: 'Two parcels.',
      notifyCustomer: true,
    });
    expect(verdict(sent)).toBe('200');
    expect(Changed.parse(sent.body.data)).toMatchObject({
      id: orderId,
      orderNumber,
      status: 'SHIPPED',
      trackingNumber: '0034',
      updatedBy: desk.admin.id,
    });
    const delivered = await desk.change(orderId, { status: 'DELIVERED' });
    expect(Changed.parse(delivered.body.data)).toMatchObject({ status: 'DELIVERED', trackingNumber: '0034' });
    expect(await historyOf(ada, orderId)).toEqual([
      ['PENDING_PAYMENT', null],
      ['PAID', null],
      ['PROCESSING', null],
      ['SHIPPED', 'Two parcels.'],
      ['DELIVERED', null],
    ]);
    expect(await desk.mailsOf(orderId)).toEqual([
      {
        about: 'shipped',
        subject: `Your order ${orderNumber} is on its way`,
        text: expect.stringMatching(/Two parcels\.[^]*0034/) as string,
      },
    ]);
    expect((await desk.recordsOf(orderId)).map(({ actor, action }) => [actor, action])).toEqual([
      [desk.admin.id, 'order.move'],
      [desk.admin.id, 'order.move'],
    ]);
    const { canCancel, canRefund } = (await ada.get(`/orders/${orderId}`)).body.data;
    expect([canCancel, canRefund]).toEqual([false, true]);
  });

  it('cancels an order that waits for payment', async () => {
    const { ada, orderId } = await desk.unpaid();
    const answer = await desk.change(orderId, {
      status: 'CANCELLED',
      note: 'Out of print.',
      notifyCustomer: true,
    });
    expect(Changed.parse(answer.body.data)).toMatchObject({ status: 'CANCELLED', trackingNumber: null });
    expect(await orderRow(desk.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'FAILED' });
    expect((await historyOf(ada, orderId)).at(-1)).toEqual(['CANCELLED', 'Out of print.']);
    expect((await desk.mailsOf(orderId)).map(({ about }) => about)).toEqual(['cancelled']);
    expect(await desk.recordsOf(orderId)).toEqual([
      {
        actor: desk.admin.id,
        action: 'order.cancel',
        previous: { status: 'PENDING_PAYMENT', paymentStatus: 'PENDING' },
        next: { status: 'CANCELLED', note: 'Out of print.', notifyCustomer: true },
      },
    ]);
  });

  it('cancels a paid order: its money goes back the way it came', async () => {
    const product = await make.product(desk.world.db, { stock: 3 });
    const ada = await shopper(desk.world, [{ productId: product.id }]);
    const { orderId, payment } = await ada.order();
    await press(desk.world, payment.paymentUrl!, 'pay');
    await eventually(async () => expect(await statusOf(orderId)).toBe('PROCESSING'));
    expect(verdict(await desk.change(orderId, { status: 'CANCELLED' }))).toBe('200');
    await eventually(async () =>
      expect(await orderRow(desk.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
    );
    expect(await desk.mailsOf(orderId)).toEqual([]);
  });

  it('is for orders of one’s own too', async () => {
    const product = await make.product(desk.world.db);
    const boss = await shopper(desk.world, [{ productId: product.id }], { roles: ['USER', 'ADMIN'] });
    const { orderId } = await boss.order();
    expect(verdict(await desk.change(orderId, { status: 'CANCELLED' }, boss.token))).toBe('200');
    expect(await desk.recordsOf(orderId)).toHaveLength(1);
  });
});

describe('PATCH /admin/orders/:id refuses', () => {
  it('a status that cannot follow, naming it: VALIDATION_ERROR', async () => {
    const [unpaid, processing] = [await desk.unpaid(), await desk.sold()];
    const [shipped, delivered] = [await desk.sold('SHIPPED'), await desk.sold('SHIPPED', 'DELIVERED')];
    const cancelled = await desk.unpaid();
    await desk.change(cancelled.orderId, { status: 'CANCELLED' });
    const tried = [
      [unpaid, 'PENDING_PAYMENT', ['PROCESSING', 'SHIPPED', 'DELIVERED']],
      [processing, 'PROCESSING', ['PROCESSING', 'DELIVERED']],
      [shipped, 'SHIPPED', ['PROCESSING', 'SHIPPED', 'CANCELLED']],
      [delivered, 'DELIVERED', ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']],
      [cancelled, 'CANCELLED', ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']],
    ] as const;
    for (const [{ orderId }, from, targets] of tried) {
      const known = await desk.recordsOf(orderId);
      for (const status of targets) {
        const { body } = await desk.change(orderId, { status, note: 'Nevertheless.', notifyCustomer: true });
        expect(body.error).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { status: [`cannot follow ${from}`] },
        });
      }
      expect(await statusOf(orderId)).toBe(from);
      expect(await desk.recordsOf(orderId)).toEqual(known);
    }
  });

  it.each([
    [{ status: 'REFUNDED' }, ['status']],
    [{ status: 'PAID' }, ['status']],
    [{ trackingUrl: 'javascript:alert(1)' }, ['trackingUrl']],
    [{ trackingUrl: 'ftp://example.com/1' }, ['trackingUrl']],
    [{ trackingUrl: 'parcel 1' }, ['trackingUrl']],
    [{ trackingNumber: '' }, ['trackingNumber']],
    [{ trackingNumber: 'x'.repeat(101), note: 'x'.repeat(501) }, ['note', 'trackingNumber']],
    [{ notifyCustomer: 'yes' }, ['notifyCustomer']],
    [{ note: 'a\u0000b' }, ['note']],
    [{ status: 'CANCELLED', trackingNumber: '1' }, ['trackingNumber']],
  ])('%j: VALIDATION_ERROR', async (body, fields) => {
    const { orderId } = await desk.unpaid();
    const answer = await desk.change(orderId, body);
    expect(verdict(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details).sort()).toEqual(fields);
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT');
  });

  it('what is no order, and who is no administrator: ORDER_NOT_FOUND, FORBIDDEN, UNAUTHORIZED', async () => {
    const { ada, orderId } = await desk.unpaid();
    const body = { status: 'CANCELLED' };
    expect(verdict(await desk.change(randomUUID(), body))).toBe('404 ORDER_NOT_FOUND');
    expect(verdict(await desk.change('nope', body))).toBe('400 VALIDATION_ERROR');
    expect(verdict(await desk.change(orderId, body, ada.token))).toBe('403 FORBIDDEN');
    expect(verdict(await desk.change(orderId, body, null))).toBe('401 UNAUTHORIZED');
    expect(verdict(await desk.change(orderId, body, desk.tokens.superAdmin))).toBe('200');
  });
});
