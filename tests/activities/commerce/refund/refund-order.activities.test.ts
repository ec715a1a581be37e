import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import type { RefundState } from '../../../../workflows/commerce/refund/refund-request.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderStep, orderSteps, paidOrder, placedOrder } from '../../../support/builders/ordering';
import { approve, arrived, askBack, refundBook, type Arrived } from '../../../support/builders/refunding';
import { takenByTheBank } from '../chargeback/chargebacks';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const now = (): string => new Date().toISOString();

interface RefundCommand {
  refundRequestId?: string;
  noteId?: string;
  items?: { itemId: string; quantity: number }[];
  amountMinor?: number;
  includeShipping?: boolean;
}

/** An administrator gives money back. */
async function refund(
  order: Pick<Arrived, 'orderId' | 'userId'>,
  choice: RefundCommand,
): Promise<RefundState> {
  const { refundRequestId = v7(), items = null, amountMinor = null, includeShipping = false } = choice;
  const noteId =
    choice.noteId ?? (await noteOf(own.db, (await make.admin(own.db)).id, 'The parcel came late.'));
  const { orderId, userId } = order;
  const command = {
    refundRequestId,
    orderId,
    userId,
    items,
    amountMinor,
    includeShipping,
    noteId,
    at: now(),
  };
  return orderSteps(own.db).refundOrder(command);
}

const send = async (state: RefundState): Promise<void> => {
  for (const { refundId } of state.refundsDue)
    await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: now() });
};

test('an amount, units, the shipping: parts that total everything make the order REFUNDED', async () => {
  const order = await arrived(own.db, { taxBp: 1_900, partnerMinor: 1_000 });
  const one = [{ itemId: order.items[0]!.id, quantity: 1 }];
  await send(await refund(order, { amountMinor: 1_000 }));
  await send(await refund(order, { items: one }));
  await send(await refund(order, { includeShipping: true }));
  const refundRequestId = v7();
  const { left } = await refundBook(own.db, { ...order, refundRequestId });
  const last = await refund(order, { refundRequestId, amountMinor: left });
  await send(last);
  expect(await refundBook(own.db, { ...order, refundRequestId })).toMatchObject({
    request: 'COMPLETED',
    order: 'REFUNDED REFUNDED',
    partner: 1_000,
    left: 0,
  });
});

test('of an order by balance it is back at once; of a paid order that has not left too', async () => {
  const order = await arrived(own.db, { method: 'BALANCE' });
  expect((await refund(order, { amountMinor: 700 })).status).toBe('COMPLETED');
  const paid = await paidOrder(own.db);
  expect(await refund(paid, { amountMinor: 700 })).toMatchObject({
    status: 'PROCESSING',
    orderStatus: 'PAID',
  });
});

test('the same command again answers the same, also twice at once', async () => {
  const order = await arrived(own.db);
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'Twice.');
  const command = { refundRequestId: v7(), noteId, amountMinor: 500 };
  const [first, twin] = await Promise.all([refund(order, command), refund(order, command)]);
  expect(twin).toEqual(first);
  expect(await refund(order, command)).toEqual(first);
  const scheduled = await rows(own.db, 'SELECT 1 FROM payment_refunds WHERE order_id = $1', [order.orderId]);
  expect(scheduled).toHaveLength(1);
});

test('two administrators at once: one of them', async () => {
  const order = await arrived(own.db);
  const results = await Promise.allSettled([
    refund(order, { amountMinor: 500 }),
    refund(order, { amountMinor: 500 }),
  ]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toMatchObject([{ type: 'REFUND_ALREADY_REQUESTED' }]);
});

test('refused: unpaid, cancelled, refunded; in addition to an open request', async () => {
  const unpaid = await placedOrder(own.db);
  await expect(refund(unpaid, { amountMinor: 1 })).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
  const order = await arrived(own.db, { method: 'BALANCE' });
  await askBack(own.db, order);
  await expect(refund(order, { amountMinor: 1 })).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
  const all = await arrived(own.db, { method: 'BALANCE' });
  await refund(all, { amountMinor: all.totalMinor });
  await expect(refund(all, { amountMinor: 1 })).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
});

test.each([
  ['more than was paid', { amountMinor: 5_501 }, 'amount'],
  ['no item of the order', { items: [{ itemId: v7(), quantity: 1 }] }, 'items.0.itemId'],
])('VALIDATION_ERROR: %s', async (_, command, field) => {
  const order = await arrived(own.db);
  await expect(refund(order, command)).rejects.toMatchObject({
    type: 'VALIDATION_ERROR',
    details: [{ [field]: [expect.any(String)] }],
  });
});

test('VALIDATION_ERROR: more than the bank left, shipping twice, and more units than there are', async () => {
  const order = await arrived(own.db);
  await takenByTheBank(own.db, order, 5_000);
  const wrong = (field: string) => ({
    type: 'VALIDATION_ERROR',
    details: [{ [field]: [expect.any(String)] }],
  });
  await expect(refund(order, { amountMinor: 501 })).rejects.toMatchObject(wrong('amount'));
  await send(await refund(order, { includeShipping: true }));
  await expect(refund(order, { includeShipping: true })).rejects.toMatchObject(wrong('includeShipping'));
  const items = [{ itemId: order.items[0]!.id, quantity: 3 }];
  await expect(refund(order, { items })).rejects.toMatchObject(wrong('items.0.quantity'));
});

test('shipping that was given back before is not claimed with the last unit', async () => {
  const order = await arrived(own.db, { method: 'BALANCE' });
  await refund(order, { includeShipping: true });
  const asked = await askBack(own.db, order);
  expect(asked.requestedMinor).toBe(5_000);
  await approve(own.db, asked);
  expect(await refundBook(own.db, asked)).toMatchObject({ order: 'REFUNDED REFUNDED', left: 0 });
});

test('an order that was refunded in part and is then cancelled: the rest goes back, each cent once', async () => {
  const order = await paidOrder(own.db);
  const given = await refund(order, { amountMinor: 1_234 });
  const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
  const cancel = () => orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
  const cancelled = await cancel();
  expect(cancelled).toMatchObject({ refundStatus: 'PROCESSING', refundAmountMinor: 5_000 - 1_234 });
  expect((await cancel()).refundAmountMinor).toBe(5_000 - 1_234);
  await send({ ...given, refundsDue: cancelled.refundsDue });
  expect((await orderStep(own.db, order)).order).toBe('CANCELLED PAID');
  await send(given);
  expect(await orderStep(own.db, order)).toMatchObject({
    order: 'CANCELLED REFUNDED',
    refunds: ['REFUND COMPLETED', 'CANCELLATION COMPLETED'],
    stock: '10 + 0',
  });
});

test('all of an order is on its way back when it is cancelled: it stays cancelled', async () => {
  const order = await paidOrder(own.db);
  const given = await refund(order, { amountMinor: 5_000 });
  const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
  await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
  await send(given);
  expect((await orderStep(own.db, order)).order).toBe('CANCELLED REFUNDED');
});
