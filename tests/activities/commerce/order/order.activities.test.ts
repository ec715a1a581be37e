import { MockActivityEnvironment } from '@temporalio/testing';
import { firstRow, rows } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  noteOf,
  NOTHING_HELD,
  orderState,
  orderSteps,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { inTransaction } from '../../../../db/sql/transaction';
import type { MoveOrder } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';

const own = ownDatabase();
const steps = () => orderSteps(own.db);

const auditOf = ({ orderId }: OrderToPlace) =>
  rows(
    own.db,
    `SELECT actor_id AS actor, action, previous, next, client_address AS "from" FROM audit_records WHERE entity_id = $1`,
    [orderId],
  );

async function mailsOf({ userId }: OrderToPlace) {
  const user = await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [userId]);
  return (await mailsTo(own.db, user!.email)).filter(({ reference }) => !/:(placed|paid)$/.test(reference));
}

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 10 * 60_000).toISOString();
const soldUnits = async ({ orderId }: OrderToPlace): Promise<number> => {
  const [found] = await rows<{ units: number }>(
    own.db,
    `SELECT p.units_sold_90d AS units FROM products p JOIN order_items i ON i.product_id = p.id WHERE i.order_id = $1`,
    [orderId],
  );
  return found!.units;
};

async function processing(): Promise<OrderToPlace> {
  const order = await given(own.db).order().paid();
  await steps().beginProcessing({ orderId: order.orderId, at });
  return order;
}

describe('cancelOrder, twice', () => {
  const cancelTwice = async ({ orderId, userId }: OrderToPlace) => {
    const noteId = await noteOf(own.db, userId, 'Found it cheaper.');
    const first = await steps().cancelOrder({ orderId, noteId, at });
    expect(await steps().cancelOrder({ orderId, noteId, at })).toEqual(first);
    return first;
  };

  test('unpaid: returns stock and coupon once', async () => {
    const order = await given(own.db).order();
    expect(await cancelTwice(order)).toEqual({ refundStatus: null, refundAmountMinor: null, refundsDue: [] });
    expect(await orderState(own.db, order)).toMatchObject({
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
    const order = await given(own.db).order({ method: 'BALANCE', walletMinor: 6_000 });
    expect(await cancelTwice(order)).toEqual({
      refundStatus: 'COMPLETED',
      refundAmountMinor: PRICE_MINOR,
      refundsDue: [],
    });
    const book = await orderState(own.db, order);
    expect(book).toMatchObject({ order: 'CANCELLED REFUNDED', walletMinor: 6_000, stock: '10 + 0' });
  });

  test('paid by card: one refund begins, and the goods are for sale again', async () => {
    const order = await given(own.db).order().paid();
    expect(await soldUnits(order)).toBe(2);
    const { refundsDue, ...rest } = await cancelTwice(order);
    expect(rest).toEqual({ refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR });
    expect(refundsDue).toHaveLength(1);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'CANCELLED PAID',
      stock: '10 + 0',
      refunds: ['CANCELLATION PROCESSING'],
    });
    expect(await soldUnits(order)).toBe(0);
  });

  test('repeated when the money is returned: COMPLETED, and nothing is due', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await steps().completeRefund({ refundId: order.refundId, ...(await sentBy(order.refundId)), at });
    const noteId = await noteOf(own.db, order.userId, 'And again.');
    expect(await steps().cancelOrder({ orderId: order.orderId, noteId, at })).toEqual({
      refundStatus: 'COMPLETED',
      refundAmountMinor: PRICE_MINOR,
      refundsDue: [],
    });
  });

  test('a coupon and stock of an order that is being processed come back too', async () => {
    const order = await given(own.db).order().paid();
    await steps().beginProcessing({ orderId: order.orderId, at });
    expect((await cancelTwice(order)).refundStatus).toBe('PROCESSING');
    expect((await orderState(own.db, order)).stock).toBe('10 + 0');
  });
});

/** The sandbox sends a refund back. */
async function sentBy(refundId: string): Promise<{ providerRefundId: string }> {
  const environment = new MockActivityEnvironment();
  const sent: SentRefund = await environment.run(steps().sendRefund, { refundId, again: false, at });
  return { providerRefundId: sent.sentBy === 'PROVIDER' ? sent.providerRefundId : '' };
}

describe('orderState', () => {
  test('answers the state of an order, and null when it was never placed', async () => {
    const order = await given(own.db).order();
    const standing = await steps().orderState({ orderId: order.orderId });
    expect(standing).toEqual({
      status: 'PENDING_PAYMENT',
      payBy: expect.any(String) as string,
      wasPaid: false,
      label: expect.stringMatching(/^ORD-\d{4}-\d{8} · \d+\.\d\d USD · CARD$/) as string,
    });
    expect(await steps().orderState({ orderId: order.userId })).toBeNull();
  });
});

describe('beginProcessing, twice', () => {
  test('moves a paid order on, once', async () => {
    const order = await given(own.db).order().paid();
    for (let times = 0; times < 2; times++)
      expect((await steps().beginProcessing({ orderId: order.orderId, at })).status).toBe('PROCESSING');
    expect(await orderState(own.db, order)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
  });

  test('does not change an order that was cancelled before', async () => {
    const order = await given(own.db).order().paid().cancelled();
    expect((await steps().beginProcessing({ orderId: order.orderId, at })).status).toBe('CANCELLED');
  });
});

test('what waited for its turn comes later in the history, whatever its clock said', async () => {
  const order = await given(own.db).order({ at }).paid();
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

describe('fulfilment', () => {
  async function move({ orderId }: OrderToPlace, changes: Pick<MoveOrder, 'to'> & Partial<MoveOrder>) {
    const staff = await make.admin(own.db);
    const noteId = await noteOf(own.db, staff.id, 'Handed to the carrier.');
    const command = { orderId, noteId, notifyCustomer: false, ...changes, at };
    return { staff, command, answer: await steps().moveOrder(command) };
  }
  const historyOf = ({ orderId }: OrderToPlace) =>
    rows<{ status: string; note: string | null; by: string | null }>(
      own.db,
      `SELECT status, note, changed_by AS "by" FROM order_status_changes WHERE order_id = $1 ORDER BY changed_at, id`,
      [orderId],
    );
  const shipmentOf = ({ orderId }: OrderToPlace) =>
    firstRow<{ number: string | null; url: string | null; left: boolean; arrived: boolean }>(
      own.db,
      `SELECT tracking_number AS number, tracking_url AS url, shipped_at IS NOT NULL AS left,
       delivered_at IS NOT NULL AS arrived FROM shipments WHERE order_id = $1`,
      [orderId],
    );
  const eventsOf = ({ orderId }: OrderToPlace) =>
    rows<{ status: string }>(
      own.db,
      `SELECT status FROM tracking_events WHERE order_id = $1 ORDER BY happened_at`,
      [orderId],
    );

  describe('moveOrder', () => {
    test('ships an order, with all that belongs to it; a repetition only answers', async () => {
      const order = await processing();
      const parcel = { trackingNumber: 'A 1', trackingUrl: 'https://post.example.com/a1' };
      const { staff, command, answer } = await move(order, {
        to: 'SHIPPED',
        ...parcel,
        notifyCustomer: true,
      });
      expect(answer).toEqual({ status: 'SHIPPED', trackingNumber: 'A 1', updatedAt: at });
      expect(await steps().moveOrder({ ...command, at: new Date().toISOString() })).toEqual(answer);

      expect((await historyOf(order)).at(-1)).toEqual({
        status: 'SHIPPED',
        note: 'Handed to the carrier.',
        by: staff.id,
      });
      expect(await shipmentOf(order)).toEqual({
        number: 'A 1',
        url: parcel.trackingUrl,
        left: true,
        arrived: false,
      });
      expect(await eventsOf(order)).toEqual([{ status: 'SHIPPED' }]);
      const mails = await mailsOf(order);
      expect(mails).toEqual([expect.objectContaining({ reference: `order:${order.orderId}:shipped` })]);
      for (const text of ['Handed to the carrier.', 'A 1', parcel.trackingUrl])
        expect(mails[0]!.text).toContain(text);
      const before = { trackingNumber: null, trackingUrl: null };
      expect(await auditOf(order)).toEqual([
        {
          actor: staff.id,
          action: 'order.move',
          previous: { status: 'PROCESSING', ...before },
          next: { status: 'SHIPPED', ...parcel, note: 'Handed to the carrier.', notifyCustomer: true },
          from: '192.0.2.7',
        },
      ]);
    });

    test('an order arrives; its goods stay sold and its parcel keeps what was known of it', async () => {
      const order = await processing();
      await move(order, { to: 'SHIPPED', trackingNumber: 'B2' });
      const { answer } = await move(order, { to: 'DELIVERED' });
      expect(answer).toMatchObject({ status: 'DELIVERED', trackingNumber: 'B2' });
      expect(await shipmentOf(order)).toEqual({ number: 'B2', url: null, left: true, arrived: true });
      expect(await eventsOf(order)).toEqual([{ status: 'SHIPPED' }, { status: 'DELIVERED' }]);
      expect(await orderState(own.db, order)).toMatchObject({ order: 'DELIVERED PAID', ...TWO_SOLD });
      expect(await mailsOf(order)).toEqual([]);
    });

    test('what is known of a parcel can be taken away again', async () => {
      const order = await processing();
      await move(order, { to: 'SHIPPED', trackingNumber: 'C3', trackingUrl: 'https://post.example.com/' });
      await move(order, { to: 'DELIVERED', trackingNumber: null, trackingUrl: null });
      expect(await shipmentOf(order)).toMatchObject({ number: null, url: null });
    });

    test('an order whose processing did not begin is moved by hand; a number may be known before the parcel leaves', async () => {
      const order = await given(own.db).order().paid();
      const { answer } = await move(order, { to: 'PROCESSING', trackingNumber: 'D4' });
      expect(answer).toMatchObject({ status: 'PROCESSING', trackingNumber: 'D4' });
      expect(await shipmentOf(order)).toMatchObject({ number: 'D4', left: false });
      expect(await eventsOf(order)).toEqual([]);
    });

    test.each([
      ['PAID', 'SHIPPED', () => given(own.db).order().paid()],
      ['PROCESSING', 'PROCESSING', processing],
      ['PROCESSING', 'DELIVERED', processing],
      ['SHIPPED', 'PROCESSING', () => given(own.db).order().paid().shipped()],
      ['SHIPPED', 'SHIPPED', () => given(own.db).order().paid().shipped()],
      ['DELIVERED', 'SHIPPED', () => given(own.db).order().paid().shipped().delivered()],
    ] as const)('%s → %s is no move: refused, nothing changes', async (from, to, make) => {
      const order = await make();
      const known = [await historyOf(order), await auditOf(order)];
      await expect(move(order, { to, trackingNumber: 'E5', notifyCustomer: true })).rejects.toMatchObject({
        type: 'VALIDATION_ERROR',
        details: [{ status: [`cannot follow ${from}`] }, 'STATUS_MOVE_NOT_ALLOWED'],
      });
      expect([await historyOf(order), await auditOf(order)]).toEqual(known);
      expect((await shipmentOf(order))?.number ?? null).toBeNull();
      expect(await mailsOf(order)).toEqual([]);
    });

    test('an erased account gets no mail', async () => {
      const order = await processing();
      const { email } = (await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [
        order.userId,
      ]))!;
      await inTransaction(own.db, (tx) => eraseAccount(tx, order.userId, new Date()));
      await move(order, { to: 'SHIPPED', notifyCustomer: true });
      const owed = [...(await mailsTo(own.db, email)), ...(await mailsOf(order))];
      expect(owed.filter(({ reference }) => reference.endsWith(':shipped'))).toEqual([]);
    });

    test('at the same moment, two administrators: one of them', async () => {
      const order = await processing();
      const outcomes = await Promise.allSettled([
        move(order, { to: 'SHIPPED', trackingNumber: 'ONE' }),
        move(order, { to: 'SHIPPED', trackingNumber: 'TWO' }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await eventsOf(order)).toHaveLength(1);
      expect((await auditOf(order)).length).toBe(1);
    });
  });
});

describe('an administrator', () => {
  describe('cancelOrder by an administrator', () => {
    const decide = async ({ orderId }: OrderToPlace, notifyCustomer = true) => {
      const staff = await make.admin(own.db);
      const noteId = await noteOf(own.db, staff.id, 'Out of print.');
      const command = { orderId, noteId, byAdministrator: { notifyCustomer }, at };
      return { staff, command, answer: await steps().cancelOrder(command) };
    };

    test('is recorded and mailed to the buyer; a repetition only answers', async () => {
      const order = await processing();
      const { staff, command, answer } = await decide(order);
      expect(await steps().cancelOrder(command)).toEqual(answer);
      expect(await mailsOf(order)).toEqual([
        expect.objectContaining({ reference: `order:${order.orderId}:cancelled` }),
      ]);
      expect(await auditOf(order)).toEqual([
        {
          actor: staff.id,
          action: 'order.cancel',
          previous: { status: 'PROCESSING', paymentStatus: 'PAID' },
          next: { status: 'CANCELLED', note: 'Out of print.', notifyCustomer: true },
          from: '192.0.2.7',
        },
      ]);
      const book = await firstRow(
        own.db,
        `SELECT refunded_minor = total_minor AS all FROM orders WHERE id = $1`,
        [order.orderId],
      );
      expect(book).toEqual({ all: true });
    });

    test('finds it cancelled already: a refusal, for nothing was decided', async () => {
      const order = await processing();
      const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
      await steps().cancelOrder({ orderId: order.orderId, noteId, at });
      await expect(decide(order)).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
      expect(await auditOf(order)).toEqual([]);
      expect(await mailsOf(order)).toEqual([]);
    });

    test('comes too late for what has left', async () => {
      await expect(decide(await given(own.db).order().paid().shipped())).rejects.toMatchObject({
        type: 'CANNOT_CANCEL',
      });
    });
  });
});
