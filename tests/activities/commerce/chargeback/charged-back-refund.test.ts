import { v7 } from 'uuid';
import { openMatters } from '../../../../db/identity/user/open-matters.reads';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderStep, orderToRefund, paidOrder } from '../../../support/builders/ordering';
import { disputes, now } from './charged-back';
import { bookOf } from './chargebacks';

const own = ownDatabase();
const { bank, steps, send, bankActs, lose, refundsOf, accountsOf, mailsOf, twoRefunds } = disputes(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

test('an unsent refund ends by the chargeback that was lost, once; nothing is owed, lost or sent', async () => {
  const order = await orderToRefund(own.db, { provider: bank() });
  await bankActs(order, 'payment.charged_back', 5_000);
  await expect(send(order.refundId)).rejects.toMatchObject({ type: 'RefundRefused' });
  for (const outcome of ['APPLIED', 'WITHOUT_EFFECT'])
    expect(await bankActs(order, 'payment.chargeback_lost', 5_000)).toMatchObject({
      outcome,
      refundsToWake: [{ refundId: order.refundId, orderId: order.orderId }],
    });
  for (let times = 0; times < 2; times++) expect(await send(order.refundId, 2)).toEqual({ sentBy: 'NOBODY' });
  expect(bank().sent).toEqual([]);
  expect(await orderStep(own.db, order)).toMatchObject({
    order: 'CANCELLED REFUNDED',
    refunds: ['CANCELLATION CHARGED_BACK'],
  });
  expect(await bookOf(own.db, order)).toMatchObject({ chargebacks: ['5000 LOST'] });
  expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
  expect(await mailsOf(order.refundId)).toEqual(['charged-back']);
  expect(await openMatters(own.db, order.userId, { at: new Date(), returnWindowDays: null })).toEqual([]);
});

describe.each([
  [1, ['2999 COMPLETED', '1 CHARGED_BACK', '2000 COMPLETED']],
  [2_999, ['1 COMPLETED', '2999 CHARGED_BACK', '2000 COMPLETED']],
  [3_000, ['3000 CHARGED_BACK', '2000 COMPLETED']],
  [3_001, ['3000 CHARGED_BACK', '1999 COMPLETED', '1 CHARGED_BACK']],
  [4_999, ['3000 CHARGED_BACK', '1 COMPLETED', '1999 CHARGED_BACK']],
  [5_000, ['3000 CHARGED_BACK', '2000 CHARGED_BACK']],
])('a lost chargeback of %i against refunds of 3000 and 2000', (lostMinor, refunds) => {
  test('pays as much of them, and the rest is sent', async () => {
    const order = await twoRefunds();
    await lose(order, lostMinor);
    for (const refundId of order.refundIds) {
      const sent = await send(refundId);
      if (sent.sentBy === 'PROVIDER') await steps().completeRefund({ refundId, ...sent, at: now() });
    }
    expect(await refundsOf(order)).toEqual(refunds);
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
  });

  test('and is undone to the minor unit when the bank returns it', async () => {
    const order = await twoRefunds();
    await lose(order, lostMinor);
    for (const refundId of order.refundIds) {
      const sent = await send(refundId);
      if (sent.sentBy === 'PROVIDER') await steps().completeRefund({ refundId, ...sent, at: now() });
    }
    await bankActs(order, 'payment.chargeback_returned', lostMinor);
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED PAID');
    expect(await accountsOf(order)).toEqual({ refunds: lostMinor, losses: 0 });
    expect(await refundsOf(order)).toEqual(
      refunds.map((refund) => refund.replace('CHARGED_BACK', 'PROCESSING')),
    );
  });
});

test('of a dispute in addition to a refund, only the amount that exceeds the payment pays the refund', async () => {
  const order = await paidOrder(own.db, { provider: bank() });
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'A scratch.');
  const { orderId, userId } = order;
  const command = { items: null, amountMinor: 3_000, includeShipping: false, orderId, userId, noteId };
  const { refundsDue } = await steps().refundOrder({ ...command, refundRequestId: v7(), at: now() });
  await lose(order, 4_000);
  const { refundId } = refundsDue[0]!;
  expect(await send(refundId)).toMatchObject({ sentBy: 'PROVIDER' });
  await steps().completeRefund({ refundId, providerRefundId: 'one', at: now() });
  expect(await refundsOf(order)).toEqual(['1000 COMPLETED', '2000 CHARGED_BACK']);
  expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -2_000 });
  await expect(
    steps().refundOrder({ ...command, amountMinor: 1, refundRequestId: v7(), at: now() }),
  ).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  const cancelled = await steps().cancelOrder({
    orderId,
    noteId: await noteOf(own.db, userId, 'No.'),
    at: now(),
  });
  expect(cancelled.refundsDue).toEqual([]);
  expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
});
