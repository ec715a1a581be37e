import { orderDetail } from '../../../../db/commerce/order/order.reads';
import { requestableOf } from '../../../../api/orders/refund/requestable';
import { firstRow } from '../../../../db/sql/query';
import type { MadeOrder } from '../../../support/builders/given/steps';
import {
  approve,
  deliveredOrder,
  refundByShop,
  refundState,
  reject,
  requestRefund,
} from '../../../support/builders/refunding';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const units = ({ items }: MadeOrder, quantity: number) => [{ itemId: items[0]!.id, quantity }];
const unitsRefunded = async ({ items }: MadeOrder): Promise<number> =>
  (await firstRow<{ n: number }>(own.db, 'SELECT refunded_quantity AS n FROM order_items WHERE id = $1', [
    items[0]!.id,
  ]))!.n;

describe('while a request of the buyer waits, an administrator', () => {
  test('refunds an amount, and units that the buyer did not ask for; the request can still be approved', async () => {
    const order = await deliveredOrder(own.db);
    const asked = await requestRefund(own.db, order, { items: units(order, 1) });
    await refundByShop(own.db, order, { amountMinor: 300 });
    await refundByShop(own.db, order, { items: units(order, 1) });
    expect(await unitsRefunded(order)).toBe(1);
    expect((await approve(own.db, asked, { amountMinor: asked.requestedMinor - 300 })).status).toBe(
      'PROCESSING',
    );
    expect(await unitsRefunded(order)).toBe(2);
  });

  test('does not refund the units of the request, by whatever number of them', async () => {
    const order = await deliveredOrder(own.db);
    const asked = await requestRefund(own.db, order, { items: units(order, 1) });
    const both = refundByShop(own.db, order, { items: units(order, 2) });
    await expect(both).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
    const beyond = refundByShop(own.db, order, { items: units(order, 3) });
    await expect(beyond).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
    await reject(own.db, asked);
    expect((await refundByShop(own.db, order, { items: units(order, 2) })).status).toBe('PROCESSING');
  });

  test('refunds all of the order: the request can only be turned down then, and is', async () => {
    const order = await deliveredOrder(own.db, { method: 'BALANCE' });
    const asked = await requestRefund(own.db, order);
    await refundByShop(own.db, order, { amountMinor: order.totalMinor });
    expect(await refundState(own.db, asked)).toMatchObject({ order: 'REFUNDED REFUNDED', left: 0 });
    await expect(approve(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
    expect((await reject(own.db, asked)).status).toBe('REJECTED');
  });
});

test('while a refund of the shop is on its way, the buyer asks, and the order says so', async () => {
  const order = await deliveredOrder(own.db);
  const given = await refundByShop(own.db, order, { amountMinor: 500 });
  expect(given.status).toBe('PROCESSING');
  const detail = (await orderDetail(own.db, order.userId, order.orderId))!;
  expect(requestableOf(detail).hasOpenRefundRequest).toBe(false);
  const asked = await requestRefund(own.db, order, { items: units(order, 1) });
  await expect(requestRefund(own.db, order)).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
  expect((await approve(own.db, asked)).status).toBe('PROCESSING');
});

test('units that were asked for and turned down meanwhile: each cent of the line goes back once', async () => {
  // The two units cost 49.99 after the discount: one is worth a cent more than the other.
  const order = await deliveredOrder(own.db, { discountMinor: 1 });
  const asked = await requestRefund(own.db, order, { items: units(order, 1) });
  await refundByShop(own.db, order, { items: units(order, 1) });
  await reject(own.db, asked);
  await refundByShop(own.db, order, { items: units(order, 1) });
  await refundByShop(own.db, order, { includeShipping: true });
  expect(await refundState(own.db, asked)).toMatchObject({ left: 0 });
});
