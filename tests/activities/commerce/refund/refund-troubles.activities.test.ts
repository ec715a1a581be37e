import { v7 } from 'uuid';
import { appliedCapture, scheduleRefund } from '../../../../db/commerce/payment/capture.transitions';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { noteOf, orderStep, orderSteps, paidOrder, storedReport } from '../../../support/builders/ordering';
import { takenByTheBank } from '../chargeback/chargebacks';
import { approve, arrived, askBack, refundBook, reject } from '../../../support/builders/refunding';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const now = (): string => new Date().toISOString();

test('a chargeback counts: what the bank took does not go back once more', async () => {
  const order = await arrived(own.db, { partnerMinor: 1_500 });
  const asked = await askBack(own.db, order);
  await takenByTheBank(own.db, order, 3_000);
  await expect(approve(own.db, asked)).rejects.toMatchObject({
    type: 'VALIDATION_ERROR',
    details: [{ amount: ['must be at most 25.00 USD, which is left of what was paid'] }],
  });
  await approve(own.db, asked, { amountMinor: 2_500 });
  expect(await refundBook(own.db, asked)).toMatchObject({ sent: 'PROCESSING 1000', partner: 1_500 });
});

test('when the bank took everything, nothing can be requested', async () => {
  const order = await arrived(own.db);
  await takenByTheBank(own.db, order, order.totalMinor);
  await expect(askBack(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
});

describe('an order that is cancelled after its bank took', () => {
  test.each([
    ['a part: the rest goes back', 3_000, 'CANCELLED PAID', [{ amount: 2_000 }]],
    ['everything: nothing goes back', 5_000, 'CANCELLED REFUNDED', []],
  ])('%s', async (_, takenMinor, status, refunds) => {
    const order = await paidOrder(own.db);
    await takenByTheBank(own.db, order, takenMinor);
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind.');
    await orderSteps(own.db).cancelOrder({ orderId: order.orderId, noteId, at: now() });
    expect((await orderStep(own.db, order)).order).toBe(status);
    const due = await rows(own.db, 'SELECT amount_minor AS amount FROM payment_refunds WHERE order_id = $1', [
      order.orderId,
    ]);
    expect(due).toEqual(refunds);
  });
});

test('the database refuses to schedule more than is left of a payment', async () => {
  const order = await arrived(own.db);
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
  const order = await arrived(own.db, { provider: bank });
  const asked = await askBack(own.db, order);
  const { refundsDue } = await approve(own.db, asked);
  const { refundId } = refundsDue[0]!;
  for (let times = 0; times < 2; times++)
    expect(await orderSteps(own.db).abandonRefund({ refundId, at: now() })).toBe(asked.refundRequestId);
  expect(await refundBook(own.db, asked)).toMatchObject({
    request: 'FAILED',
    order: 'DELIVERED PAID',
    left: 0,
  });
  await expect(askBack(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
});

test('money that came a second time goes back in addition to the refund, each once', async () => {
  const order = await arrived(own.db);
  const asked = await askBack(own.db, order);
  await approve(own.db, asked);
  const steps = orderSteps(own.db);
  const { webhookEventId } = await storedReport(own.db, 'PAID', {
    attemptId: order.attemptId,
    amountMinor: order.totalMinor,
  });
  await steps.applyPaymentEvent({ webhookEventId, at: now() });
  const due = await steps.refundsDue({ orderId: order.orderId });
  expect(due).toHaveLength(2);
  for (const { refundId } of due) await steps.completeRefund({ refundId, providerRefundId: v7(), at: now() });
  expect(await refundBook(own.db, asked)).toMatchObject({ request: 'COMPLETED', order: 'REFUNDED REFUNDED' });
});

test('an erased buyer leaves no text behind, and the amounts stay', async () => {
  const asked = await askBack(own.db, await arrived(own.db));
  await reject(own.db, asked);
  await inTransaction(own.db, (tx) => eraseAccount(tx, asked.userId, new Date()));
  const words = await firstRow(
    own.db,
    'SELECT reason, description, decision_note AS note FROM refund_requests WHERE id = $1',
    [asked.refundRequestId],
  );
  expect(words).toEqual({ reason: '', description: null, note: null });
});
