import { v7 } from 'uuid';
import { orderDetail } from '../../../../db/commerce/order/order.reads';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { given } from '../../../support/builders/given';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import { approve, deliveredOrder, requestRefund } from '../../../support/builders/refunding';
import { disputes, now } from '../chargeback/charged-back';

const own = ownDatabase();
const { bank, lose, send } = disputes(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** The money of an order that is back, and its refunds, as its buyer sees them. */
async function refundsOf({ orderId, userId }: { orderId: string; userId: string }) {
  const { completedMinor, newest } = (await orderDetail(own.db, userId, orderId))!.refunds;
  return { completedMinor, refunds: newest.map(({ amountMinor, status }) => `${amountMinor} ${status}`) };
}

/** A refund of all of 55.00, of which 30.00 came from the partner balance. */
async function fullRefund() {
  const order = await deliveredOrder(own.db, { provider: bank(), partnerMinor: 3_000 });
  const { refundsDue } = await approve(own.db, await requestRefund(own.db, order));
  return { ...order, refundId: refundsDue[0]!.refundId };
}

test('a part that is back counts while the rest is on its way, and when that was given up', async () => {
  const order = await fullRefund();
  expect(await refundsOf(order)).toEqual({ completedMinor: 3_000, refunds: ['5500 PROCESSING'] });
  await orderSteps(own.db).abandonRefund({ refundId: order.refundId, at: now() });
  expect(await refundsOf(order)).toEqual({ completedMinor: 3_000, refunds: ['5500 FAILED'] });
});

test('all of it counts once', async () => {
  const order = await fullRefund();
  await orderSteps(own.db).completeRefund({ refundId: order.refundId, providerRefundId: v7(), at: now() });
  expect(await refundsOf(order)).toEqual({ completedMinor: 5_500, refunds: ['5500 COMPLETED'] });
});

test('a part that a lost chargeback has paid counts, while the rest is on its way', async () => {
  const order = await fullRefund();
  await lose(order, 1_000);
  await send(order.refundId);
  expect(await refundsOf(order)).toEqual({ completedMinor: 4_000, refunds: ['5500 PROCESSING'] });
});

test('a wallet that was repaid for a request, and for the rest by a cancellation', async () => {
  const order = await given(own.db).order({ method: 'BALANCE', partnerMinor: 1_000, discountBp: 0 }).paid();
  const { orderId, userId } = order;
  const noteId = await noteOf(own.db, userId, 'No.');
  const asked = { items: null, amountMinor: 4_700, includeShipping: false, noteId, at: now() };
  await orderSteps(own.db).refundOrder({ refundRequestId: v7(), orderId, userId, ...asked });
  expect(await refundsOf(order)).toEqual({ completedMinor: 4_700, refunds: ['4700 COMPLETED'] });
  await orderSteps(own.db).cancelOrder({ orderId, noteId: await noteOf(own.db, userId, 'No.'), at: now() });
  expect((await refundsOf(order)).completedMinor).toBe(order.totalMinor);
});
