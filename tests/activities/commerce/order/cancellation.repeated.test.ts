import { v7 } from 'uuid';
import { cancelThroughItsProcess } from '../../../../api/orders/cancel-through-its-process';
import { orderHead } from '../../../../db/commerce/order/order.reads';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import {
  noteOf,
  orderSteps,
  paidOrder,
  placedOrder,
  PRICE_MINOR,
  type OrderCommand,
} from '../../../support/builders/ordering';
import { transfersOf } from '../payment/transfers';

/** A cancellation whose answer was lost is answered again: by its step, and by the API after its process has ended. */
const own = ownDatabase();
const at = new Date().toISOString();
const steps = () => orderSteps(own.db);

let staffId: string;
const { confirm } = transfersOf(() => ({ db: own.db, staffId }));
beforeAll(async () => {
  staffId = (await make.admin(own.db)).id;
});
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** An administrator refunds a part, and the provider sends it. */
async function giveBack({ orderId, userId }: OrderCommand, amountMinor: number): Promise<void> {
  const noteId = await noteOf(own.db, staffId, 'The parcel was damaged.');
  const refund = { refundRequestId: v7(), orderId, userId, items: null, amountMinor, includeShipping: false };
  const { refundsDue } = await steps().refundOrder({ ...refund, noteId, at });
  for (const { refundId } of refundsDue)
    await steps().completeRefund({ refundId, providerRefundId: v7(), at });
}

/** The answers of the cancellation: the first, to its repeated step and to a request with the same key. */
async function answers({ orderId, userId }: OrderCommand) {
  const noteId = await noteOf(own.db, userId, 'Changed my mind.');
  const first = await steps().cancelOrder({ orderId, noteId, at });
  return { first, ...(await later({ orderId, noteId })) };
}

async function later({ orderId, noteId }: { orderId: string; noteId: string }) {
  const step = await steps().cancelOrder({ orderId, noteId, at });
  const order = (await orderHead(own.db, orderId))!;
  const context = { db: own.db, processes: {} as never, request: {} as never };
  const request = await cancelThroughItsProcess(context, order, { noteId });
  return { step, request };
}

test('after a partial refund: the rest, on its way', async () => {
  const order = await paidOrder(own.db);
  await giveBack(order, 1_500);
  const { first, step, request } = await answers(order);
  const rest = { refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR - 1_500 };
  expect(first).toMatchObject(rest);
  expect(step).toEqual(first);
  expect(request).toMatchObject(rest);
});

test('paid from the balance: it is returned at once, although a stray transfer is on its way', async () => {
  const order = await placedOrder(own.db, { method: 'BALANCE', walletMinor: PRICE_MINOR }, { at });
  await confirm(order, 'unwanted-1');
  const all = { refundStatus: 'COMPLETED', refundAmountMinor: PRICE_MINOR };
  const { first, step, request } = await answers(order);
  expect([first, step, request]).toMatchObject([all, all, all]);
});

test('paid by card: another refund that is on its way does not keep a sent one from being COMPLETED', async () => {
  const order = await paidOrder(own.db, { at });
  await confirm(order, 'unwanted-2');
  const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
  const [due] = (await steps().cancelOrder({ orderId: order.orderId, noteId, at })).refundsDue;
  await steps().completeRefund({ refundId: due!.refundId, providerRefundId: v7(), at });
  const all = { refundStatus: 'COMPLETED', refundAmountMinor: PRICE_MINOR };
  const { step, request } = await later({ orderId: order.orderId, noteId });
  expect([step, request]).toMatchObject([all, all]);
});

test('an abandoned refund is still owed: PROCESSING', async () => {
  const order = await paidOrder(own.db, { at });
  const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
  const [due] = (await steps().cancelOrder({ orderId: order.orderId, noteId, at })).refundsDue;
  await steps().abandonRefund({ refundId: due!.refundId, at });
  const { step, request } = await later({ orderId: order.orderId, noteId });
  expect([step.refundStatus, request.refundStatus]).toEqual(['PROCESSING', 'PROCESSING']);
});
