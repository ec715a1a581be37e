import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql/query';
import type { RefundState } from '../../../../workflows/commerce/refund/refund-request.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import {
  noteOf,
  orderState,
  orderSteps,
  PRICE_MINOR,
  storedReport,
} from '../../../support/builders/ordering';
import {
  approve,
  deliveredOrder,
  refundByShop,
  refundState,
  reject,
  requestRefund,
  type ShopRefund,
} from '../../../support/builders/refunding';
import { takenByTheBank } from '../chargeback/chargebacks';
import { given } from '../../../support/builders/given';
import type { MadeOrder, OrderToPlace } from '../../../support/builders/given/steps';
import { appliedCapture } from '../../../../db/commerce/payment/capture.transitions';
import { scheduleRefund } from '../../../../db/commerce/refund/sending/schedule-refund.transitions';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { inTransaction } from '../../../../db/sql/transaction';
import { cancelThroughItsProcess } from '../../../../api/orders/cancel-through-its-process';
import { orderHead } from '../../../../db/commerce/order/order.reads';
import { transfersOf } from '../payment/transfers';
import { FakeBank } from '../../../support/fakes/fake-bank';

const own = ownDatabase();
const now = (): string => new Date().toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('by an administrator', () => {
  const refund = (order: Pick<MadeOrder, 'orderId' | 'userId'>, choice: ShopRefund): Promise<RefundState> =>
    refundByShop(own.db, order, choice);
  const send = async (state: RefundState): Promise<void> => {
    for (const { refundId } of state.refundsDue)
      await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: now() });
  };

  test('an amount, units, the shipping: parts that total everything make the order REFUNDED', async () => {
    const order = await deliveredOrder(own.db, { taxBp: 1_900, partnerMinor: 1_000 });
    const one = [{ itemId: order.items[0]!.id, quantity: 1 }];
    await send(await refund(order, { amountMinor: 1_000 }));
    await send(await refund(order, { items: one }));
    await send(await refund(order, { includeShipping: true }));
    const refundRequestId = v7();
    const { left } = await refundState(own.db, { ...order, refundRequestId });
    const last = await refund(order, { refundRequestId, amountMinor: left });
    await send(last);
    expect(await refundState(own.db, { ...order, refundRequestId })).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
      partner: 1_000,
      left: 0,
    });
  });

  test('of an order by balance it is back at once; of a paid order that has not left too', async () => {
    const order = await deliveredOrder(own.db, { method: 'BALANCE' });
    expect((await refund(order, { amountMinor: 700 })).status).toBe('COMPLETED');
    const paid = await given(own.db).order().paid();
    expect(await refund(paid, { amountMinor: 700 })).toMatchObject({
      status: 'PROCESSING',
      orderStatus: 'PAID',
    });
  });

  test('the same command again answers the same, also twice at once', async () => {
    const order = await deliveredOrder(own.db);
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'Twice.');
    const command = { refundRequestId: v7(), noteId, amountMinor: 500 };
    const [first, twin] = await Promise.all([refund(order, command), refund(order, command)]);
    expect(twin).toEqual(first);
    expect(await refund(order, command)).toEqual(first);
    const scheduled = await rows(own.db, 'SELECT 1 FROM payment_refunds WHERE order_id = $1', [
      order.orderId,
    ]);
    expect(scheduled).toHaveLength(1);
  });

  test('two administrators at once: both, and together no more than was paid', async () => {
    const order = await deliveredOrder(own.db);
    const both = [refund(order, { amountMinor: 500 }), refund(order, { amountMinor: 500 })];
    for (const state of await Promise.all(both)) expect(state.status).toBe('PROCESSING');
    const results = await Promise.allSettled([
      refund(order, { amountMinor: 3_000 }),
      refund(order, { amountMinor: 3_000 }),
    ]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toMatchObject([{ type: 'VALIDATION_ERROR' }]);
  });

  test('refused: unpaid, cancelled, refunded', async () => {
    const unpaid = await given(own.db).order();
    await expect(refund(unpaid, { amountMinor: 1 })).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
    const all = await deliveredOrder(own.db, { method: 'BALANCE' });
    await refund(all, { amountMinor: all.totalMinor });
    await expect(refund(all, { amountMinor: 1 })).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
  });

  test.each([
    ['more than was paid', { amountMinor: 5_501 }, 'amount', 'REFUND_EXCEEDS_PAYMENT'],
    [
      'no item of the order',
      { items: [{ itemId: v7(), quantity: 1 }] },
      'items.0.itemId',
      'ITEMS_NOT_REFUNDABLE',
    ],
  ])('VALIDATION_ERROR: %s', async (_, command, field, reason) => {
    const order = await deliveredOrder(own.db);
    await expect(refund(order, command)).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ [field]: [expect.any(String)] }, reason],
    });
  });

  test('VALIDATION_ERROR: more than the bank left, shipping twice, and more units than there are', async () => {
    const order = await deliveredOrder(own.db);
    await takenByTheBank(own.db, order, 5_000);
    const wrong = (field: string, reason: string) => ({
      type: 'VALIDATION_ERROR',
      details: [{ [field]: [expect.any(String)] }, reason],
    });
    await expect(refund(order, { amountMinor: 501 })).rejects.toMatchObject(
      wrong('amount', 'REFUND_EXCEEDS_PAYMENT'),
    );
    await send(await refund(order, { includeShipping: true }));
    await expect(refund(order, { includeShipping: true })).rejects.toMatchObject(
      wrong('includeShipping', 'SHIPPING_NOT_REFUNDABLE'),
    );
    const items = [{ itemId: order.items[0]!.id, quantity: 3 }];
    await expect(refund(order, { items })).rejects.toMatchObject(
      wrong('items.0.quantity', 'ITEMS_NOT_REFUNDABLE'),
    );
  });

  test('shipping that was given back before is not claimed with the last unit', async () => {
    const order = await deliveredOrder(own.db, { method: 'BALANCE' });
    await refund(order, { includeShipping: true });
    const asked = await requestRefund(own.db, order);
    expect(asked.requestedMinor).toBe(5_000);
    await approve(own.db, asked);
    expect(await refundState(own.db, asked)).toMatchObject({ order: 'REFUNDED REFUNDED', left: 0 });
  });

  test('an order that was refunded in part and is then cancelled: the rest goes back, each cent once', async () => {
    const order = await given(own.db).order().paid();
    const refunded = await refund(order, { amountMinor: 1_234 });
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    const cancel = () => orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({ refundStatus: 'PROCESSING', refundAmountMinor: 5_000 - 1_234 });
    expect((await cancel()).refundAmountMinor).toBe(5_000 - 1_234);
    await send({ ...refunded, refundsDue: cancelled.refundsDue });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
    await send(refunded);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['REFUND COMPLETED', 'CANCELLATION COMPLETED'],
      stock: '10 + 0',
    });
  });

  test('all of an order is on its way back when it is cancelled: it stays cancelled', async () => {
    const order = await given(own.db).order().paid();
    const refunded = await refund(order, { amountMinor: 5_000 });
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    await send(refunded);
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
  });
});

describe('troubles', () => {
  test('a chargeback counts: what the bank took does not go back once more', async () => {
    const order = await deliveredOrder(own.db, { partnerMinor: 1_500 });
    const asked = await requestRefund(own.db, order);
    await takenByTheBank(own.db, order, 3_000);
    await expect(approve(own.db, asked)).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ amount: ['must be at most 25.00 USD'] }, 'REFUND_EXCEEDS_PAYMENT'],
    });
    await approve(own.db, asked, { amountMinor: 2_500 });
    expect(await refundState(own.db, asked)).toMatchObject({ sent: 'PROCESSING 1000', partner: 1_500 });
  });

  test('when the bank took everything, nothing can be requested', async () => {
    const order = await deliveredOrder(own.db);
    await takenByTheBank(own.db, order, order.totalMinor);
    await expect(requestRefund(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
  });

  describe('an order that is cancelled after its bank took', () => {
    test.each([
      ['a part: the rest goes back', 3_000, 'CANCELLED PAID', [{ amount: 2_000 }]],
      ['everything: nothing goes back', 5_000, 'CANCELLED REFUNDED', []],
    ])('%s', async (_, takenMinor, status, refunds) => {
      const order = await given(own.db).order().paid();
      await takenByTheBank(own.db, order, takenMinor);
      const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
      await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
      expect((await orderState(own.db, order)).order).toBe(status);
      const due = await rows(
        own.db,
        'SELECT amount_minor AS amount FROM payment_refunds WHERE order_id = $1',
        [order.orderId],
      );
      expect(due).toEqual(refunds);
    });
  });

  test('the database refuses to schedule more than is left of a payment', async () => {
    const order = await deliveredOrder(own.db);
    await takenByTheBank(own.db, order, 1_000);
    const scheduled = inTransaction(own.db, async (tx) => {
      const capture = (await appliedCapture(tx, order.orderId))!;
      const most = { ...capture, orderId: order.orderId, amountMinor: capture.leftMinor };
      await scheduleRefund(tx, { ...most, amountMinor: most.amountMinor - 1 }, 'CANCELLATION', now());
      await scheduleRefund(tx, { ...most, amountMinor: 2 }, 'CANCELLATION', now());
    });
    await expect(scheduled).rejects.toThrow('does not have 2 left to give back');
  });

  test('a refund that was given up: the request has failed, the money stays counted and owed', async () => {
    const bank = new FakeBank();
    const order = await deliveredOrder(own.db, { provider: bank });
    const asked = await requestRefund(own.db, order);
    const { refundsDue } = await approve(own.db, asked);
    const { refundId } = refundsDue[0]!;
    for (let times = 0; times < 2; times++)
      expect(await orderSteps(own.db, bank).abandonRefund({ refundId, at: now() })).toBeNull();
    expect(await refundState(own.db, asked)).toMatchObject({
      request: 'FAILED',
      order: 'DELIVERED PAID',
      left: 0,
    });
    await expect(requestRefund(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
  });

  test('money that came a second time goes back in addition to the refund, each once', async () => {
    const order = await deliveredOrder(own.db);
    const asked = await requestRefund(own.db, order);
    await approve(own.db, asked);
    const steps = orderSteps(own.db);
    const { webhookEventId } = await storedReport(own.db, 'PAID', {
      attemptId: order.attemptId,
      amountMinor: order.totalMinor,
    });
    await steps.applyPaymentEvent({ webhookEventId, at: now() });
    const due = await steps.refundsDue({ orderId: order.orderId });
    expect(due).toHaveLength(2);
    for (const { refundId } of due)
      await steps.completeRefund({ refundId, providerRefundId: v7(), at: now() });
    expect(await refundState(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
  });

  test('an erased buyer leaves no text behind, and the amounts stay', async () => {
    const asked = await deliveredOrder(own.db).refundRequested();
    await reject(own.db, asked);
    await inTransaction(own.db, (tx) => eraseAccount(tx, asked.userId, new Date()));
    const words = await firstRow(
      own.db,
      'SELECT reason, description, decision_note AS note FROM refund_requests WHERE id = $1',
      [asked.refundRequestId],
    );
    expect(words).toEqual({ reason: '', description: null, note: null });
  });
});

test.each(['BALANCE', 'CARD'] as const)(
  'money of an erased buyer goes back to the provider that brought it, and to no balance: %s',
  async (method) => {
    const order = await deliveredOrder(own.db, { method });
    await inTransaction(own.db, (tx) => eraseAccount(tx, order.userId, new Date()));
    const refund = refundByShop(own.db, order, { amountMinor: 700 });
    if (method === 'CARD') expect((await refund).status).toBe('PROCESSING');
    else
      await expect(refund).rejects.toMatchObject({
        type: 'VALIDATION_ERROR',
        details: [{}, 'ACCOUNT_ERASED'],
      });
  },
);

/** A cancellation whose answer was lost is answered again: by its step, and by the API after its process has ended. */
describe('cancelled once more', () => {
  const steps = () => orderSteps(own.db);
  const at = new Date().toISOString();
  let staffId: string;
  const { confirm } = transfersOf(() => ({ db: own.db, staffId }));

  beforeAll(async () => {
    staffId = (await make.admin(own.db)).id;
  });

  /** An administrator refunds a part, and the provider sends it. */
  async function giveBack({ orderId, userId }: OrderToPlace, amountMinor: number): Promise<void> {
    const noteId = await noteOf(own.db, staffId, 'The parcel was damaged.');
    const refund = {
      refundRequestId: v7(),
      orderId,
      userId,
      items: null,
      amountMinor,
      includeShipping: false,
    };
    const { refundsDue } = await steps().refundOrder({ ...refund, noteId, at });
    for (const { refundId } of refundsDue)
      await steps().completeRefund({ refundId, providerRefundId: v7(), at });
  }

  /** The answers of the cancellation: the first, to its repeated step and to a request with the same key. */
  async function answers({ orderId, userId }: OrderToPlace) {
    const noteId = await noteOf(own.db, userId, 'Changed my mind.');
    const first = await steps().cancelOrder({ orderId, noteId, at });
    return { first, ...(await later({ orderId, noteId })) };
  }

  async function later({ orderId, noteId }: { orderId: string; noteId: string }) {
    const step = await steps().cancelOrder({ orderId, noteId, at });
    const order = (await orderHead(own.db, orderId))!;
    // Nothing but the database is asked, and no note is stored again.
    const unused = { caller: {} as never, processes: {} as never, request: {} as never };
    const context = { ...unused, db: own.db, mint: () => Promise.resolve({ note: noteId } as never) };
    const request = await cancelThroughItsProcess(context, order, { reason: null });
    return { step, request };
  }

  test('after a partial refund: the rest, on its way', async () => {
    const order = await given(own.db).order().paid();
    await giveBack(order, 1_500);
    const { first, step, request } = await answers(order);
    const rest = { refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR - 1_500 };
    expect(first).toMatchObject(rest);
    expect(step).toEqual(first);
    expect(request).toMatchObject(rest);
  });

  test('paid from the balance: it is returned at once, although a stray transfer is on its way', async () => {
    const order = await given(own.db).order({ method: 'BALANCE', walletMinor: PRICE_MINOR, at });
    await confirm(order, 'unwanted-1');
    const all = { refundStatus: 'COMPLETED', refundAmountMinor: PRICE_MINOR };
    const { first, step, request } = await answers(order);
    expect([first, step, request]).toMatchObject([all, all, all]);
  });

  test('paid by card: another refund that is on its way does not keep a sent one from being COMPLETED', async () => {
    const order = await given(own.db).order({ at }).paid();
    await confirm(order, 'unwanted-2');
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    const [due] = (await steps().cancelOrder({ orderId: order.orderId, noteId, at })).refundsDue;
    await steps().completeRefund({ refundId: due!.refundId, providerRefundId: v7(), at });
    const all = { refundStatus: 'COMPLETED', refundAmountMinor: PRICE_MINOR };
    const { step, request } = await later({ orderId: order.orderId, noteId });
    expect([step, request]).toMatchObject([all, all]);
  });

  test('an abandoned refund is still owed: PROCESSING', async () => {
    const order = await given(own.db).order({ at }).paid();
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    const [due] = (await steps().cancelOrder({ orderId: order.orderId, noteId, at })).refundsDue;
    await steps().abandonRefund({ refundId: due!.refundId, at });
    const { step, request } = await later({ orderId: order.orderId, noteId });
    expect([step.refundStatus, request.refundStatus]).toEqual(['PROCESSING', 'PROCESSING']);
  });
});
