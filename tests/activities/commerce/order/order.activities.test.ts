import { MockActivityEnvironment } from '@temporalio/testing';
import { rows } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  NOTHING_HELD,
  noteOf,
  orderStep,
  orderSteps,
  orderToRefund,
  paidOrder,
  placedOrder,
  PRICE_MINOR,
  TWO_SOLD,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 60_000).toISOString();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const soldUnits = async ({ orderId }: OrderCommand): Promise<number> => {
  const [found] = await rows<{ units: number }>(
    own.db,
    `SELECT p.units_sold_90d AS units FROM products p JOIN order_items i ON i.product_id = p.id WHERE i.order_id = $1`,
    [orderId],
  );
  return found!.units;
};

describe('cancelOrder, twice', () => {
  const cancelTwice = async ({ orderId, userId }: OrderCommand) => {
    const noteId = await noteOf(own.db, userId, 'Found it cheaper.');
    const first = await steps().cancelOrder({ orderId, noteId, at });
    expect(await steps().cancelOrder({ orderId, noteId, at })).toEqual(first);
    return first;
  };

  test('unpaid: returns stock and coupon once', async () => {
    const order = await placedOrder(own.db);
    expect(await cancelTwice(order)).toEqual({ refundStatus: null, refundAmountMinor: null, refundsDue: [] });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'CANCELLED FAILED',
      refunds: [],
      ...NOTHING_HELD,
    });
    const [change] = await rows(
      own.db,
      `SELECT note, changed_by AS "by" FROM order_status_changes WHERE order_id = $1 AND status = 'CANCELLED'`,
      [order.orderId],
    );
    expect(change).toEqual({ note: 'Found it cheaper.', by: order.userId });
  });

  test('paid from the balance: the money is back at once, once', async () => {
    const order = await placedOrder(own.db, { method: 'BALANCE', walletMinor: 6_000 });
    expect(await cancelTwice(order)).toEqual({
      refundStatus: 'COMPLETED',
      refundAmountMinor: PRICE_MINOR,
      refundsDue: [],
    });
    const book = await orderStep(own.db, order);
    expect(book).toMatchObject({ order: 'CANCELLED REFUNDED', walletMinor: 6_000, stock: '10 + 0' });
  });

  test('paid by card: one refund begins, and the goods are for sale again', async () => {
    const order = await paidOrder(own.db);
    expect(await soldUnits(order)).toBe(2);
    const { refundsDue, ...rest } = await cancelTwice(order);
    expect(rest).toEqual({ refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR });
    expect(refundsDue).toHaveLength(1);
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'CANCELLED PAID',
      stock: '10 + 0',
      refunds: ['CANCELLATION PROCESSING'],
    });
    expect(await soldUnits(order)).toBe(0);
  });

  test('repeated when the money is returned: COMPLETED, and nothing is due', async () => {
    const order = await orderToRefund(own.db);
    await steps().completeRefund({ refundId: order.refundId, ...(await sentBy(order.refundId)), at });
    const noteId = await noteOf(own.db, order.userId, 'And again.');
    expect(await steps().cancelOrder({ orderId: order.orderId, noteId, at })).toEqual({
      refundStatus: 'COMPLETED',
      refundAmountMinor: PRICE_MINOR,
      refundsDue: [],
    });
  });

  test('a coupon and stock of an order that is being processed come back too', async () => {
    const order = await paidOrder(own.db);
    await steps().beginProcessing({ orderId: order.orderId, at });
    expect((await cancelTwice(order)).refundStatus).toBe('PROCESSING');
    expect((await orderStep(own.db, order)).stock).toBe('10 + 0');
  });
});

/** The sandbox sends a refund back. */
async function sentBy(refundId: string): Promise<{ providerRefundId: string }> {
  const environment = new MockActivityEnvironment();
  const sent: SentRefund = await environment.run(steps().sendRefund, { refundId, again: false });
  return { providerRefundId: sent.sentBy === 'PROVIDER' ? sent.providerRefundId : '' };
}

describe('orderStanding', () => {
  test('answers the state of an order, and null when it was never placed', async () => {
    const order = await placedOrder(own.db);
    const standing = await steps().orderStanding({ orderId: order.orderId });
    expect(standing).toEqual({ status: 'PENDING_PAYMENT', payBy: expect.any(String), wasPaid: false });
    expect(await steps().orderStanding({ orderId: order.userId })).toBeNull();
  });
});

describe('beginProcessing, twice', () => {
  test('moves a paid order on, once', async () => {
    const order = await paidOrder(own.db);
    for (let times = 0; times < 2; times++)
      expect((await steps().beginProcessing({ orderId: order.orderId, at })).status).toBe('PROCESSING');
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
  });

  test('does not change an order that was cancelled before', async () => {
    const order = await orderToRefund(own.db);
    expect((await steps().beginProcessing({ orderId: order.orderId, at })).status).toBe('CANCELLED');
  });
});

test('what waited for its turn comes later in the history, whatever its clock said', async () => {
  const order = await paidOrder(own.db, { at });
  const noteId = await noteOf(own.db, order.userId, 'Asked before the payment was reported.');
  const requestedAt = new Date(Date.parse(at) - 1_000).toISOString();
  await steps().cancelOrder({ orderId: order.orderId, noteId, at: requestedAt });
  const history = await rows<{ status: string }>(
    own.db,
    `SELECT status FROM order_status_changes WHERE order_id = $1 ORDER BY changed_at, id`,
    [order.orderId],
  );
  expect(history.map(({ status }) => status)).toEqual(['PENDING_PAYMENT', 'PAID', 'CANCELLED']);
});
