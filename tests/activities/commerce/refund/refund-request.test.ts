import { v7 } from 'uuid';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import {
  approve,
  deliveredOrder,
  refundState,
  reject,
  requestRefund,
  stockOf,
} from '../../../support/builders/refunding';
import { given } from '../../../support/builders/given';
import { type MadeOrder, STOCK } from '../../../support/builders/given/steps';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { owedMessages } from '../../../support/checks/mail';

const own = ownDatabase();
const tax = { taxBp: 1_900, discountBp: 1_000 };

const now = (): string => new Date().toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('requests', () => {
  const later = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

  describe('requestRefund', () => {
    test('of everything: the goods as paid for, their tax, and the shipping with its tax', async () => {
      const order = await deliveredOrder(own.db, tax);
      const asked = await requestRefund(own.db, order);
      expect(asked).toMatchObject({ requestedMinor: order.totalMinor, currency: 'USD' });
      expect(asked.items).toEqual([{ itemId: order.items[0]!.id, quantity: 2, amountMinor: 5_355 }]);
    });

    test('of one unit: no shipping', async () => {
      const order = await deliveredOrder(own.db, tax);
      const items = [{ itemId: order.items[0]!.id, quantity: 1 }];
      expect((await requestRefund(own.db, order, { items })).requestedMinor).toBe(2_678);
    });

    test('twice: the first answer again, and one request', async () => {
      const order = await deliveredOrder(own.db);
      const refundRequestId = v7();
      const first = await requestRefund(own.db, order, { refundRequestId });
      expect(await requestRefund(own.db, order, { refundRequestId, at: later(1) })).toEqual(first);
    });

    test('of goods that are still on their way', async () => {
      const order = await given(own.db).order().paid().shipped();
      expect((await requestRefund(own.db, order)).requestedMinor).toBe(5_000);
    });

    test('of another: refused', async () => {
      const order = await deliveredOrder(own.db);
      const { id: userId } = await make.buyer(own.db);
      await expect(requestRefund(own.db, { ...order, userId })).rejects.toMatchObject({
        type: 'ORDER_NOT_FOUND',
      });
    });

    test('before the parcel has left: refused; after fourteen days: too late', async () => {
      await expect(requestRefund(own.db, await given(own.db).order().paid())).rejects.toMatchObject({
        type: 'CANNOT_REFUND',
      });
      const order = await deliveredOrder(own.db);
      await expect(requestRefund(own.db, order, { at: later(15) })).rejects.toMatchObject({
        type: 'REFUND_PERIOD_EXPIRED',
      });
      expect((await requestRefund(own.db, order, { at: later(13) })).requestedMinor).toBe(order.totalMinor);
    });

    test('while one is open, and when nothing is left: refused', async () => {
      const order = await deliveredOrder(own.db, { method: 'BALANCE' });
      const asked = await requestRefund(own.db, order);
      await expect(requestRefund(own.db, order)).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
      await approve(own.db, asked, { amountMinor: 1 });
      await expect(requestRefund(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
    });

    test('of goods that cost nothing: refused', async () => {
      const lines = [
        { priceMinor: 0, quantity: 1 },
        { priceMinor: 100, quantity: 1 },
      ];
      const order = await deliveredOrder(own.db, { lines });
      await expect(requestRefund(own.db, order, { itemIds: [order.items[0]!.id] })).rejects.toMatchObject({
        type: 'CANNOT_REFUND',
      });
    });

    test.each([
      ['an item of another order', (): object => ({ itemIds: [v7()] }), 'itemIds.0'],
      [
        'an item named twice',
        ({ items: [item] }: MadeOrder) => ({ itemIds: [item!.id, item!.id] }),
        'itemIds.1',
      ],
      [
        'an item named in both lists',
        ({ items: [item] }: MadeOrder) => ({
          itemIds: [item!.id],
          items: [{ itemId: item!.id, quantity: 1 }],
        }),
        'items.0.itemId',
      ],
      [
        'more units than there are',
        ({ items: [item] }: MadeOrder) => ({ items: [{ itemId: item!.id, quantity: 3 }] }),
        'items.0.quantity',
      ],
    ])('of %s: refused by name', async (_, command, field) => {
      const order = await deliveredOrder(own.db);
      const refused = requestRefund(own.db, order, command(order));
      await expect(refused).rejects.toMatchObject({
        type: 'VALIDATION_ERROR',
        details: [{ [field]: [expect.any(String)] }, 'ITEMS_NOT_REFUNDABLE'],
      });
    });

    test('of goods that were given back before: refused; goods that were turned down can be requested again', async () => {
      const lines = [
        { priceMinor: 1_000, quantity: 1 },
        { priceMinor: 2_000, quantity: 1 },
      ];
      const order = await deliveredOrder(own.db, { lines, method: 'BALANCE' });
      const itemIds = [order.items[0]!.id];
      await approve(own.db, await requestRefund(own.db, order, { itemIds }));
      await expect(requestRefund(own.db, order, { itemIds })).rejects.toMatchObject({
        type: 'VALIDATION_ERROR',
      });
      const rest = await requestRefund(own.db, order);
      expect(rest.items.map(({ itemId }) => itemId)).toEqual([order.items[1]!.id]);
      await reject(own.db, rest);
      expect((await requestRefund(own.db, order)).requestedMinor).toBe(2_500);
    });
  });

  test('what is not there does not stand', async () => {
    expect(await orderSteps(own.db).refundRequestState({ refundRequestId: v7(), askedAt: null })).toBeNull();
  });
});

describe('decisions', () => {
  /** The provider has sent it. */
  const send = async (refundId: string): Promise<void> => {
    await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: now() });
  };

  describe('approveRefund', () => {
    test('of an order by card: the provider is to send it, and the order is REFUNDED when it has', async () => {
      const order = await deliveredOrder(own.db, tax);
      const asked = await requestRefund(own.db, order);
      const { status, refundsDue } = await approve(own.db, asked, { restock: true });
      expect([status, refundsDue]).toEqual([
        'PROCESSING',
        [expect.objectContaining({ refundId: expect.any(String), orderId: order.orderId })],
      ]);
      const sent = `PROCESSING ${order.totalMinor}`;
      expect(await refundState(own.db, asked)).toMatchObject({ order: 'DELIVERED PAID', left: 0, sent });
      expect(await stockOf(own.db, order)).toEqual([STOCK]);
      await send(refundsDue[0]!.refundId);
      expect(await refundState(own.db, asked)).toMatchObject({
        request: 'COMPLETED',
        order: 'REFUNDED REFUNDED',
      });
    });

    test('of an order by balance: it is back at once; goods that are not wanted stay off the shelf', async () => {
      const order = await deliveredOrder(own.db, { method: 'BALANCE' });
      const asked = await requestRefund(own.db, order);
      expect((await approve(own.db, asked)).status).toBe('COMPLETED');
      expect(await refundState(own.db, asked)).toMatchObject({
        request: 'COMPLETED',
        order: 'REFUNDED REFUNDED',
        sent: null,
        wallet: order.totalMinor,
      });
      expect(await stockOf(own.db, order)).toEqual([STOCK - 2]);
    });

    test('the same decision again answers the same; another comes too late', async () => {
      const asked = await deliveredOrder(own.db).refundRequested();
      const noteId = await noteOf(own.db, (await make.admin(own.db)).id, null);
      const first = await approve(own.db, asked, { noteId });
      expect(await approve(own.db, asked, { noteId })).toEqual(first);
      await expect(approve(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
      await expect(reject(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
    });

    test('less than was requested: the order stays as it is, and the rest cannot be requested', async () => {
      const order = await deliveredOrder(own.db, { ...tax, method: 'BALANCE' });
      const asked = await requestRefund(own.db, order);
      await approve(own.db, asked, { amountMinor: 1_190 });
      expect(await refundState(own.db, asked)).toMatchObject({
        request: 'COMPLETED',
        order: 'DELIVERED PAID',
        left: order.totalMinor - 1_190,
      });
      const event = await firstRow(own.db, `SELECT data FROM domain_events WHERE reference = $1`, [
        `refund.completed:${asked.refundRequestId}`,
      ]);
      expect(event).toMatchObject({ data: { goodsMinor: 1_000, orderId: order.orderId } });
    });

    test('more than was requested is refused', async () => {
      const asked = await requestRefund(own.db, await deliveredOrder(own.db));
      await expect(approve(own.db, asked, { amountMinor: asked.requestedMinor + 1 })).rejects.toMatchObject({
        type: 'VALIDATION_ERROR',
        details: [{ amount: ['must be at most 55.00 USD'] }, 'REFUND_EXCEEDS_REQUEST'],
      });
    });

    test('of card and partner balance: the card first', async () => {
      const lines = [{ priceMinor: 5_000, quantity: 2 }];
      const order = await deliveredOrder(own.db, { lines, partnerMinor: 4_500 });
      const items = [{ itemId: order.items[0]!.id, quantity: 1 }];
      const first = await requestRefund(own.db, order, { items });
      const { refundsDue } = await approve(own.db, first);
      expect(await refundState(own.db, first)).toMatchObject({ sent: 'PROCESSING 5000', partner: 0 });
      await send(refundsDue[0]!.refundId);
      const second = await requestRefund(own.db, order);
      const rest = await approve(own.db, second);
      expect(await refundState(own.db, second)).toMatchObject({
        sent: 'PROCESSING 1000',
        partner: 4_500,
        left: 0,
      });
      await send(rest.refundsDue[0]!.refundId);
      expect(await refundState(own.db, second)).toMatchObject({ order: 'REFUNDED REFUNDED' });
    });

    test('the buyer gets a mail, and the decision is audited', async () => {
      const asked = await deliveredOrder(own.db).refundRequested();
      const { refundsDue } = await approve(own.db, asked);
      await send(refundsDue[0]!.refundId);
      const mails = await owedMessages(own.db, 'reference LIKE $1', [`refund:${asked.refundRequestId}:%`]);
      expect(mails).toMatchObject([
        { subject: expect.stringMatching(/^Refund approved: order /) },
        { subject: expect.stringMatching(/^Refund sent: order /) },
      ]);
      const record = await firstRow(own.db, `SELECT action, next FROM audit_records WHERE entity_id = $1`, [
        asked.refundRequestId,
      ]);
      expect(record).toMatchObject({
        action: 'refund.approve',
        next: { status: 'PROCESSING', approvedMinor: 5_500 },
      });
    });
  });

  test('rejectRefund, twice: turned down once, and the mail has the reason', async () => {
    const asked = await deliveredOrder(own.db).refundRequested();
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'It was worn.');
    expect((await reject(own.db, asked, noteId)).status).toBe('REJECTED');
    expect((await reject(own.db, asked, noteId)).status).toBe('REJECTED');
    await expect(approve(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
    const [mail, ...more] = await owedMessages(own.db, 'reference LIKE $1', [
      `refund:${asked.refundRequestId}:%`,
    ]);
    expect([mail, more]).toMatchObject([{ text: expect.stringContaining('Reason: It was worn.') }, []]);
  });
});

describe('popularity: what is taken back is taken back on the day that it was paid for', () => {
  const paidDay = '2026-01-15T12:00:00.000Z';
  const unitsOf = (orderId: string) =>
    rows(
      own.db,
      `SELECT s.day::text, s.units FROM product_daily_sales s JOIN order_items i ON i.product_id = s.product_id
       WHERE i.order_id = $1`,
      [orderId],
    );

  test('by a refund days after the sale', async () => {
    const order = await deliveredOrder(own.db, { method: 'BALANCE', at: paidDay });
    await approve(own.db, await requestRefund(own.db, order, { at: paidDay }));
    expect(await unitsOf(order.orderId)).toEqual([{ day: '2026-01-15', units: 0 }]);
  });

  test('by a cancellation days after the payment', async () => {
    const order = await given(own.db).order({ at: paidDay }).paid();
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    expect(await unitsOf(order.orderId)).toEqual([{ day: '2026-01-15', units: 0 }]);
  });

  test('of a sale that the recount of ninety days has dropped, popularity does not fall below zero', async () => {
    const order = await given(own.db).order({ at: paidDay }).paid();
    const products = 'id IN (SELECT product_id FROM order_items WHERE order_id = $1)';
    await execute(own.db, `UPDATE products SET units_sold_90d = 0 WHERE ${products}`, [order.orderId]);
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    const sold = await rows(own.db, `SELECT units_sold_90d AS n FROM products WHERE ${products}`, [
      order.orderId,
    ]);
    expect(sold).toEqual([{ n: 0 }]);
  });
});

describe('the database refuses', () => {
  test('more refunded than an order cost', async () => {
    const { orderId } = await given(own.db).order().paid();
    const beyond = execute(own.db, 'UPDATE orders SET refunded_minor = total_minor + 1 WHERE id = $1', [
      orderId,
    ]);
    await expect(beyond).rejects.toThrow('orders_refunded_check');
  });

  test('two open requests of one order', async () => {
    const asked = await deliveredOrder(own.db).refundRequested();
    const twin = execute(
      own.db,
      `INSERT INTO refund_requests (id, order_id, user_id, status, reason, currency, requested_minor, created_at)
       SELECT gen_random_uuid(), order_id, user_id, status, reason, currency, requested_minor, now()
       FROM refund_requests WHERE id = $1`,
      [asked.refundRequestId],
    );
    await expect(twin).rejects.toThrow();
    const open = await firstRow(
      own.db,
      `SELECT count(*)::int AS n FROM refund_requests WHERE order_id = $1`,
      [asked.orderId],
    );
    expect(open).toEqual({ n: 1 });
  });

  test('a refund that is done by nobody, and one that is settled by halves', async () => {
    const asked = await deliveredOrder(own.db).refundRequested();
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    const wrong = [
      `status = 'COMPLETED', completed_at = now()`,
      `settlement_reference = 'OUT-9'`,
      `provider_refund_id = 'one'`,
    ];
    for (const change of wrong)
      await expect(
        execute(own.db, `UPDATE payment_refunds SET ${change} WHERE id = $1`, [refundId]),
      ).rejects.toThrow(/payment_refunds_(completed|settlement)_check/);
  });
});
