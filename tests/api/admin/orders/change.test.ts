import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow, press } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration, type Sold } from './order-administration';
import { given } from '../../../support/builders/given';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

const Changed = z.strictObject({
  id: z.uuid(),
  orderNumber: z.string(),
  status: z.string(),
  trackingNumber: z.string().nullable(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.uuid(),
});
const statusOf = async (orderId: string) => (await orderRow(administration.world, orderId)).status;
const historyOf = async (ada: Awaited<ReturnType<OrderAdministration['sold']>>['ada'], orderId: string) =>
  ((await ada.get(`/orders/${orderId}`)).body.data.statusHistory as { status: string; note: string }[]).map(
    ({ status, note }) => [status, note],
  );

describe('PATCH /admin/orders/:id', () => {
  it('ships an order and delivers it; the buyer sees the notes and is mailed when requested', async () => {
    const { ada, orderId, orderNumber } = await administration.sold();
    const sent = await administration.change(orderId, {
      status: 'SHIPPED',
      trackingNumber: ' 0034 ',
      note: 'Two parcels.',
      notifyCustomer: true,
    });
    expect(outcomeOf(sent)).toBe('200');
    expect(Changed.parse(sent.body.data)).toMatchObject({
      id: orderId,
      orderNumber,
      status: 'SHIPPED',
      trackingNumber: '0034',
      updatedBy: administration.admin.id,
    });
    const delivered = await administration.change(orderId, { status: 'DELIVERED' });
    expect(Changed.parse(delivered.body.data)).toMatchObject({ status: 'DELIVERED', trackingNumber: '0034' });
    expect(await historyOf(ada, orderId)).toEqual([
      ['PENDING_PAYMENT', null],
      ['PAID', null],
      ['PROCESSING', null],
      ['SHIPPED', 'Two parcels.'],
      ['DELIVERED', null],
    ]);
    expect(await administration.mailsOf(orderId)).toEqual([
      {
        about: 'shipped',
        subject: `Your order ${orderNumber} is on its way`,
        text: expect.stringMatching(/Two parcels\.[^]*0034/) as string,
      },
    ]);
    expect((await administration.recordsOf(orderId)).map(({ actor, action }) => [actor, action])).toEqual([
      [administration.admin.id, 'order.move'],
      [administration.admin.id, 'order.move'],
    ]);
    const { canCancel, canRefund } = (await ada.get(`/orders/${orderId}`)).body.data;
    expect([canCancel, canRefund]).toEqual([false, true]);
  });

  it('cancels an order that waits for payment', async () => {
    const { ada, orderId } = await administration.unpaid();
    const answer = await administration.change(orderId, {
      status: 'CANCELLED',
      note: 'Out of print.',
      notifyCustomer: true,
    });
    expect(Changed.parse(answer.body.data)).toMatchObject({ status: 'CANCELLED', trackingNumber: null });
    expect(await orderRow(administration.world, orderId)).toEqual({
      status: 'CANCELLED',
      paymentStatus: 'FAILED',
    });
    expect((await historyOf(ada, orderId)).at(-1)).toEqual(['CANCELLED', 'Out of print.']);
    expect((await administration.mailsOf(orderId)).map(({ about }) => about)).toEqual(['cancelled']);
    expect(await administration.recordsOf(orderId)).toEqual([
      {
        actor: administration.admin.id,
        action: 'order.cancel',
        previous: { status: 'PENDING_PAYMENT', paymentStatus: 'PENDING' },
        next: { status: 'CANCELLED', note: 'Out of print.', notifyCustomer: true },
      },
    ]);
  });

  it('cancels a paid order: its money goes back the way it came', async () => {
    const product = await make.product(administration.world.db, { stock: 3 });
    const ada = await shopper(administration.world, [{ productId: product.id }]);
    const { orderId, payment } = await ada.order();
    await press(administration.world, payment.paymentUrl!, 'pay');
    await eventually(async () => expect(await statusOf(orderId)).toBe('PROCESSING'));
    expect(outcomeOf(await administration.change(orderId, { status: 'CANCELLED' }))).toBe('200');
    await eventually(async () =>
      expect(await orderRow(administration.world, orderId)).toEqual({
        status: 'CANCELLED',
        paymentStatus: 'REFUNDED',
      }),
    );
    expect(await administration.mailsOf(orderId)).toEqual([]);
  });

  it('is for orders of one’s own too', async () => {
    const product = await make.product(administration.world.db);
    const boss = await shopper(administration.world, [{ productId: product.id }], {
      roles: ['USER', 'ADMIN'],
    });
    const { orderId } = await boss.order();
    expect(outcomeOf(await administration.change(orderId, { status: 'CANCELLED' }, boss.token))).toBe('200');
    expect(await administration.recordsOf(orderId)).toHaveLength(1);
  });
});

describe('PATCH /admin/orders/:id refuses', () => {
  it('a status that cannot follow, naming it: VALIDATION_ERROR', async () => {
    const [unpaid, processing] = [await administration.unpaid(), await administration.sold()];
    const [shipped, delivered] = [
      await administration.sold('SHIPPED'),
      await administration.sold('SHIPPED', 'DELIVERED'),
    ];
    const cancelled = await administration.unpaid();
    await administration.change(cancelled.orderId, { status: 'CANCELLED' });
    const tried = [
      [unpaid, 'PENDING_PAYMENT', ['PROCESSING', 'SHIPPED', 'DELIVERED']],
      [processing, 'PROCESSING', ['PROCESSING', 'DELIVERED']],
      [shipped, 'SHIPPED', ['PROCESSING', 'SHIPPED', 'CANCELLED']],
      [delivered, 'DELIVERED', ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']],
      [cancelled, 'CANCELLED', ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']],
    ] as const;
    for (const [{ orderId }, from, targets] of tried) {
      const known = await administration.recordsOf(orderId);
      for (const status of targets) {
        const { body } = await administration.change(orderId, {
          status,
          note: 'Nevertheless.',
          notifyCustomer: true,
        });
        expect(body.error).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { status: [`cannot follow ${from}`] },
        });
      }
      expect(await statusOf(orderId)).toBe(from);
      expect(await administration.recordsOf(orderId)).toEqual(known);
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
    const { orderId } = await administration.unpaid();
    const answer = await administration.change(orderId, body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details).sort()).toEqual(fields);
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT');
  });

  it('what is no order, and who is no administrator: ORDER_NOT_FOUND, FORBIDDEN, UNAUTHORIZED', async () => {
    const { ada, orderId } = await administration.unpaid();
    const body = { status: 'CANCELLED' };
    expect(outcomeOf(await administration.change(randomUUID(), body))).toBe('404 ORDER_NOT_FOUND');
    expect(outcomeOf(await administration.change('nope', body))).toBe('404 ORDER_NOT_FOUND');
    expect(outcomeOf(await administration.change(orderId, body, ada.token))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await administration.change(orderId, body, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await administration.change(orderId, body, administration.tokens.superAdmin))).toBe(
      '200',
    );
  });
});

describe('PATCH /admin/orders/:id without a status', () => {
  const url = 'https://post.example.com/1';

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
    expect([mail!.about, mail!.subject, more]).toEqual(['note', `Your order ${orderNumber} was updated`, []]);
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
    const trackingNumber = ['must be left out'];
    expect(answer.body.error).toMatchObject({
      reason: 'ORDER_CANCELLED',
      details: {
        ...{ trackingNumber, trackingUrl: trackingNumber },
      },
    });
  });
});

describe('PATCH /admin/orders/:id at once with others', () => {
  const ROUNDS = [1, 2, 3, 4, 5];
  const cancels = ({ ada, orderId }: Sold) => ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late?' });

  test.each(ROUNDS)('an administrator sends off what its buyer cancels: one of the two (%i)', async () => {
    const sold = await administration.sold();
    const [sent, cancelled] = (
      await Promise.all([
        administration.change(sold.orderId, { status: 'SHIPPED', notifyCustomer: true }),
        cancels(sold),
      ])
    ).map(outcomeOf);
    const row = await orderRow(administration.world, sold.orderId);
    const records = await administration.recordsOf(sold.orderId);
    if (sent === '200') {
      expect([cancelled, row]).toEqual(['400 CANNOT_CANCEL', { status: 'SHIPPED', paymentStatus: 'PAID' }]);
      expect(records).toHaveLength(1);
    } else {
      expect([sent, cancelled]).toEqual(['400 VALIDATION_ERROR', '200']);
      expect(row).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
      expect([records, await administration.mailsOf(sold.orderId)]).toEqual([[], []]);
    }
  });

  test.each(ROUNDS)('administrator and buyer cancel at once: cancelled once (%i)', async (round) => {
    const sold = await (round % 2 === 0 ? administration.sold() : administration.unpaid());
    const [decided, cancelled] = (
      await Promise.all([administration.change(sold.orderId, { status: 'CANCELLED' }), cancels(sold)])
    ).map(outcomeOf);
    expect((await orderRow(administration.world, sold.orderId)).status).toBe('CANCELLED');
    // The decision is on record if, and only if, it was one; the buyer either cancelled or finds it done.
    expect(await administration.recordsOf(sold.orderId)).toHaveLength(decided === '200' ? 1 : 0);
    expect(['200', '400 VALIDATION_ERROR']).toContain(decided);
    expect(['200', '400 CANNOT_CANCEL']).toContain(cancelled);
    expect([decided, cancelled]).toContain('200');
  });

  test.each(ROUNDS)('two administrators send an order off at once: one of them (%i)', async () => {
    const { orderId } = await administration.sold();
    const outcomes = (
      await Promise.all(
        ['ONE', 'TWO', 'THREE'].map((trackingNumber) =>
          administration.change(orderId, { status: 'SHIPPED', trackingNumber, notifyCustomer: true }),
        ),
      )
    ).map(outcomeOf);
    expect(outcomes.sort()).toEqual(['200', '400 VALIDATION_ERROR', '400 VALIDATION_ERROR']);
    expect(await administration.recordsOf(orderId)).toHaveLength(1);
    expect(await administration.mailsOf(orderId)).toHaveLength(1);
  });

  test('tracking data and a move at once: both happen', async () => {
    const { orderId } = await administration.sold();
    const outcomes = (
      await Promise.all([
        administration.change(orderId, { status: 'SHIPPED' }),
        administration.change(orderId, { trackingNumber: 'A1' }),
      ])
    ).map(outcomeOf);
    expect(outcomes).toEqual(['200', '200']);
    expect((await administration.change(orderId, {})).body.data).toMatchObject({
      status: 'SHIPPED',
      trackingNumber: 'A1',
    });
    expect(await administration.recordsOf(orderId)).toHaveLength(2);
  });

  test('of an order that is paid and that no process has, PROCESSING starts its fulfilment', async () => {
    const { orderId } = await given(administration.world.db).order().paid();
    const answer = await administration.change(orderId, { status: 'PROCESSING' });
    expect(outcomeOf(answer)).toBe('200');
    const fulfilment = administration.world.temporal.workflow.getHandle(`fulfilment:${orderId}`);
    expect((await fulfilment.describe()).status.name).toBe('RUNNING');
    expect((await orderRow(administration.world, orderId)).status).toBe('PROCESSING');
  });
});
