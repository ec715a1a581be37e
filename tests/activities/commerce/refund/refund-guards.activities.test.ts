import { execute, firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { noteOf, orderSteps, paidOrder } from '../../../support/builders/ordering';
import { approve, arrived, askBack } from '../../../support/builders/refunding';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const now = (): string => new Date().toISOString();

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
    const order = await arrived(own.db, { method: 'BALANCE', at: paidDay });
    await approve(own.db, await askBack(own.db, order, { at: paidDay }));
    expect(await unitsOf(order.orderId)).toEqual([{ day: '2026-01-15', units: 0 }]);
  });

  test('by a cancellation days after the payment', async () => {
    const order = await paidOrder(own.db, { at: paidDay });
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    expect(await unitsOf(order.orderId)).toEqual([{ day: '2026-01-15', units: 0 }]);
  });

  test('of a sale that the recount of ninety days has dropped, popularity does not fall below zero', async () => {
    const order = await paidOrder(own.db, { at: paidDay });
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
    const { orderId } = await paidOrder(own.db);
    const beyond = execute(own.db, 'UPDATE orders SET refunded_minor = total_minor + 1 WHERE id = $1', [
      orderId,
    ]);
    await expect(beyond).rejects.toThrow('orders_refunded_check');
  });

  test('two open requests of one order', async () => {
    const asked = await askBack(own.db, await arrived(own.db));
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
    const asked = await askBack(own.db, await arrived(own.db));
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
