import { v7 } from 'uuid';
import { bookCompletedRefund } from '../../../activities/commerce/refund/payment-refund/complete-refund';
import { bookSettledRefund } from '../../../activities/commerce/refund/payment-refund/settle-refund';
import { releaseStock } from '../../../db/catalog/stock/stock.transitions';
import { redeemCoupon, returnCoupons } from '../../../db/commerce/coupon/coupon.transitions';
import { lockOrder, moveOrder } from '../../../db/commerce/order/order.transitions';
import { storePage, paymentToOpen } from '../../../db/commerce/payment/payment-page.transitions';
import { decideRequest } from '../../../db/commerce/refund/refund-request.transitions';
import { readRefund } from '../../../db/commerce/refund/refund.transitions';
import { execute, firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';
import { approve, deliveredOrder } from '../../support/builders/refunding';
import { given } from '../../support/builders/given';

/** Transitions called with what was read before somebody else moved the row: locks above them may be forgotten. */
const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const at = new Date().toISOString();
const statusOf = async (table: string, id: string): Promise<string> =>
  (await firstRow<{ status: string }>(own.db, `SELECT status FROM ${table} WHERE id = $1`, [id]))!.status;

test('an order is moved only from where the caller saw it', async () => {
  const { orderId } = await given(own.db).order().paid();
  const seen = await inTransaction(own.db, (tx) => lockOrder(tx, orderId));
  const move = () =>
    inTransaction(own.db, (tx) => moveOrder(tx, seen!, { to: 'PROCESSING', note: null, by: null, at }));
  await move();
  await expect(move()).rejects.toThrow('is no longer PAID');
  const lines = await firstRow(
    own.db,
    'SELECT count(*)::int AS n FROM order_status_changes WHERE order_id = $1',
    [orderId],
  );
  expect(lines).toEqual({ n: 3 });
});

test('a coupon that was turned off or deleted since it was read is not redeemed', async () => {
  const { id: userId } = await make.user(own.db);
  for (const change of ['is_active = false', 'deleted_at = now()']) {
    const { id } = await make.coupon(own.db);
    await execute(own.db, `UPDATE coupons SET ${change} WHERE id = $1`, [id]);
    expect(await inTransaction(own.db, (tx) => redeemCoupon(tx, id, userId))).toBe(false);
    expect(await firstRow(own.db, 'SELECT used_count AS n FROM coupons WHERE id = $1', [id])).toEqual({
      n: 0,
    });
  }
});

test('the coupons of an order come back once', async () => {
  const order = await given(own.db).order();
  const uses = async (): Promise<unknown> =>
    firstRow(own.db, 'SELECT used_count AS n FROM coupons WHERE id = $1', [order.couponId]);
  expect(await uses()).toEqual({ n: 1 });
  // In a transaction that is taken back: the order keeps its coupon.
  const counted = inTransaction(own.db, async (tx) => {
    for (let times = 0; times < 2; times++) await returnCoupons(tx, order.orderId, order.userId, at);
    const left = await firstRow<{ n: number }>(tx, 'SELECT used_count AS n FROM coupons WHERE id = $1', [
      order.couponId,
    ]);
    throw new Error(`${left?.n} uses`);
  });
  await expect(counted).rejects.toThrow('0 uses');
  expect(await uses()).toEqual({ n: 1 });
});

test('stock moves once for one event, however often it is repeated', async () => {
  const { stockItemId, orderId } = await given(own.db).order();
  const released = inTransaction(own.db, async (tx) => {
    for (const moment of [at, new Date(Date.parse(at) + 60_000).toISOString()])
      await releaseStock(tx, [{ stockItemId, quantity: 1 }], { orderId }, moment);
    const left = await firstRow<{ stock: string }>(
      tx,
      `SELECT available || ' + ' || reserved AS stock FROM stock_items WHERE id = $1`,
      [stockItemId],
    );
    throw new Error(left?.stock);
  });
  await expect(released).rejects.toThrow('9 + 1');
});

test('a refund request that was decided is not decided again', async () => {
  const request = await deliveredOrder(own.db).refundRequested();
  const { refundRequestId } = request;
  await approve(own.db, request);
  const { id: by } = await make.admin(own.db);
  const rejection = { to: 'REJECTED' as const, decisionId: v7(), by, note: 'No.', approved: null, at };
  await expect(inTransaction(own.db, (tx) => decideRequest(tx, refundRequestId, rejection))).rejects.toThrow(
    'is decided already',
  );
  expect(await statusOf('refund_requests', refundRequestId)).toBe('PROCESSING');
});

test('a refund that was sent is neither completed nor settled again', async () => {
  const { refundId } = await given(own.db).order().paid().cancelled();
  const seen = await readRefund(own.db, refundId);
  const complete = (providerRefundId: string) =>
    inTransaction(own.db, (tx) => bookCompletedRefund(tx, refundId, providerRefundId, at));
  expect((await complete('first')).isNew).toBe(true);
  expect((await complete('second')).isNew).toBe(false);
  const { id: settledBy } = await make.admin(own.db);
  const settlement = { reference: 'OUT-1', settlementId: v7(), settledBy, at };
  await expect(inTransaction(own.db, (tx) => bookSettledRefund(tx, seen, settlement))).rejects.toThrow(
    'is no longer PROCESSING',
  );
  const kept = await firstRow(
    own.db,
    'SELECT provider_refund_id AS provider, settlement_reference AS bank FROM payment_refunds WHERE id = $1',
    [refundId],
  );
  expect(kept).toEqual({ provider: 'first', bank: null });
});

test('the page that an attempt was opened with first stays', async () => {
  const { attemptId } = await given(own.db).order();
  await execute(own.db, 'UPDATE payment_attempts SET payment_url = NULL WHERE id = $1', [attemptId]);
  for (const name of ['first', 'second'])
    await inTransaction(own.db, (tx) =>
      storePage(tx, attemptId, { paymentUrl: `https://pay.example/${name}`, reference: name }),
    );
  expect((await paymentToOpen(own.db, attemptId))?.paymentUrl).toBe('https://pay.example/first');
});
