import { v7 } from 'uuid';
import { openMatters } from '../../../../db/identity/user/open-matters.reads';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderState } from '../../../support/builders/ordering';
import { disputes, now } from './charged-back';
import { chargebacksOf } from './chargebacks';
import { given } from '../../../support/builders/given';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { restored } from '../../../support/builders/paying-out/restoring';
import { approve, deliveredOrder, refundState, requestRefund } from '../../../support/builders/refunding';

const own = ownDatabase();
const { bank, steps, send, bankActs, lose, refundsOf, accountsOf, mailsOf, twoRefunds } = disputes(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

test('an unsent refund ends by the chargeback that was lost, once; nothing is owed, lost or sent', async () => {
  const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
  await bankActs(order, 'payment.charged_back', 5_000);
  await expect(send(order.refundId)).rejects.toMatchObject({ type: 'RefundRefused' });
  for (const outcome of ['APPLIED', 'WITHOUT_EFFECT'])
    expect(await bankActs(order, 'payment.chargeback_lost', 5_000)).toMatchObject({
      outcome,
      refundsToWake: [{ refundId: order.refundId, orderId: order.orderId }],
    });
  for (let times = 0; times < 2; times++) expect(await send(order.refundId, 2)).toEqual({ sentBy: 'NOBODY' });
  expect(bank().sent).toEqual([]);
  expect(await orderState(own.db, order)).toMatchObject({
    order: 'CANCELLED REFUNDED',
    refunds: ['CANCELLATION CHARGED_BACK'],
  });
  expect(await chargebacksOf(own.db, order)).toMatchObject({ chargebacks: ['5000 LOST'] });
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
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
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
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
    expect(await accountsOf(order)).toEqual({ refunds: lostMinor, losses: 0 });
    expect(await refundsOf(order)).toEqual(
      refunds.map((refund) => refund.replace('CHARGED_BACK', 'PROCESSING')),
    );
  });
});

test('of a dispute in addition to a refund, only the amount that exceeds the payment pays the refund', async () => {
  const order = await given(own.db).order({ provider: bank() }).paid();
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

describe('a refund that was given up', () => {
  test.each(['before', 'after'])(
    '%s the chargeback was lost ends by it, and its request and order with it',
    async (when) => {
      const order = await deliveredOrder(own.db, { provider: bank() });
      const asked = await requestRefund(own.db, order);
      const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
      if (when === 'before') await steps().abandonRefund({ refundId, at: now() });
      await lose(order, order.totalMinor);
      if (when === 'after') await steps().abandonRefund({ refundId, at: now() });
      expect(await refundState(own.db, asked)).toMatchObject({
        request: 'COMPLETED',
        order: 'REFUNDED REFUNDED',
        sent: `CHARGED_BACK ${order.totalMinor}`,
      });
      const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
      const settled = steps().settleRefund({ refundId, noteId, at: now() });
      await expect(settled).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
    },
  );

  test('stays owed, as far as no chargeback has paid it, until it is settled', async () => {
    const order = await deliveredOrder(own.db, { provider: bank() });
    const asked = await requestRefund(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    await steps().abandonRefund({ refundId, at: now() });
    await lose(order, 1_500);
    expect(await refundsOf(order)).toEqual([`${order.totalMinor - 1_500} ABANDONED`, '1500 CHARGED_BACK']);
    expect(await refundState(own.db, asked)).toMatchObject({ request: 'FAILED', order: 'DELIVERED PAID' });
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
    await steps().settleRefund({ refundId, noteId, at: now() });
    expect((await refundState(own.db, asked)).request).toBe('COMPLETED');
  });
});

describe('a refund that was given up after its provider was asked', () => {
  async function givenUp(mood: 'refuses' | 'is not reached') {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    bank().mood = mood;
    await expect(send(order.refundId)).rejects.toThrow();
    bank().mood = 'answers';
    await steps().abandonRefund({ refundId: order.refundId, at: now() });
    const { refundId, orderId } = order;
    expect(await lose(order, 5_000)).toMatchObject({ refundsToWake: [{ refundId, orderId }] });
    expect(await refundsOf(order)).toEqual(['5000 ABANDONED']);
    return order;
  }

  test('is looked up before a lost chargeback ends it', async () => {
    const order = await givenUp('refuses');
    expect(await send(order.refundId)).toEqual({ sentBy: 'NOBODY' });
    expect(bank().requests).toEqual(['refund', 'look up', 'look up']);
    expect(await refundsOf(order)).toEqual(['5000 CHARGED_BACK']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
  });

  test('was sent after all: it is booked as sent, and the chargeback is our loss', async () => {
    const order = await givenUp('is not reached');
    bank().carriesOut(`${order.refundId}:1`, 50_00);
    const found = await send(order.refundId);
    if (found.sentBy === 'PROVIDER') await steps().completeRefund({ ...order, ...found, at: now() });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });

  test('ends also when a person gives the look-up up', async () => {
    const order = await givenUp('refuses');
    await steps().abandonRefund({ refundId: order.refundId, at: now() });
    expect(await refundsOf(order)).toEqual(['5000 CHARGED_BACK']);
  });
});

describe('a refund of before a restore that was given up, and of which it is not recorded that it was asked for', () => {
  async function givenUp() {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await (
      await restored(own)
    )();
    await steps().abandonRefund({ refundId: order.refundId, at: now() });
    return order;
  }
  afterEach(() => execute(own.db, 'DELETE FROM restores'));

  test('was sent: a lost chargeback is our loss', async () => {
    const order = await givenUp();
    const { refundId, orderId } = order;
    bank().carriesOut(`${refundId}:1`, 50_00);
    expect(await lose(order, 5_000)).toMatchObject({ refundsToWake: [{ refundId, orderId }] });
    expect(await refundsOf(order)).toEqual(['5000 ABANDONED']);
    const found = await send(refundId);
    if (found.sentBy === 'PROVIDER') await steps().completeRefund({ ...order, ...found, at: now() });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });

  test('was not sent: a lost chargeback ends it when that was looked up', async () => {
    const order = await givenUp();
    await lose(order, 5_000);
    expect(await send(order.refundId)).toEqual({ sentBy: 'NOBODY' });
    expect(bank().requests).toEqual(['look up', 'look up']);
    expect(await refundsOf(order)).toEqual(['5000 CHARGED_BACK']);
  });
});

describe('a refund that reached the buyer', () => {
  test('before the chargeback was lost stays sent, and the chargeback is our loss', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await steps().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect(await lose(order, 5_000)).toMatchObject({ outcome: 'APPLIED', refundsToWake: [] });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });

  test('without a received answer is found before anything ends', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    bank().mood = 'loses the answer';
    await expect(send(order.refundId)).rejects.toThrow();
    await lose(order, 5_000);
    bank().mood = 'answers';
    const found = await send(order.refundId);
    expect(found).toMatchObject({ sentBy: 'PROVIDER' });
    await steps().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });
});

describe('a provider that sent what a lost chargeback had paid', () => {
  test('fails for good, with its name for the refund', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await lose(order, 5_000);
    await send(order.refundId);
    const late = steps().completeRefund({ refundId: order.refundId, providerRefundId: 're_late', at: now() });
    await expect(late).rejects.toMatchObject({
      nonRetryable: true,
      message: expect.stringMatching(/re_late.*although a lost chargeback/),
    });
    expect(await refundsOf(order)).toEqual(['5000 CHARGED_BACK']);
  });

  test('with more than is owed now is not booked as what is owed', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await lose(order, 2_000);
    await send(order.refundId);
    expect(await refundsOf(order)).toEqual(['3000 PROCESSING', '2000 CHARGED_BACK']);
    bank().carriesOut(`${order.refundId}:1`, 5_000);
    await expect(send(order.refundId)).rejects.toMatchObject({
      nonRetryable: true,
      message: expect.stringContaining('sent 50.00 USD'),
    });
  });
});

describe('a part that was split off and is owed again', () => {
  /** An order whose refund was split by a lost chargeback, which is then returned. */
  async function splitAndReturned(originalCarriedOut: boolean) {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await lose(order, 2_000);
    await send(order.refundId);
    if (originalCarriedOut) bank().carriesOut(`${order.refundId}:1`, 5_000);
    await bankActs(order, 'payment.chargeback_returned', 2_000);
    const part = await rows<{ id: string }>(own.db, 'SELECT id FROM payment_refunds WHERE split_from = $1', [
      order.refundId,
    ]);
    return { order, partId: part[0]!.id };
  }

  test('is not sent when the provider sent it with the whole', async () => {
    const { partId } = await splitAndReturned(true);
    const before = bank().sent.length;
    await expect(send(partId)).rejects.toMatchObject({
      nonRetryable: true,
      message: expect.stringContaining('not sent again'),
    });
    expect(bank().sent).toHaveLength(before);
  });

  test('waits until the rest is booked, and is then sent', async () => {
    const { order, partId } = await splitAndReturned(false);
    await expect(send(partId)).rejects.toThrow('is not booked yet');
    const rest = await send(order.refundId);
    if (rest.sentBy === 'PROVIDER') await steps().completeRefund({ ...order, ...rest, at: now() });
    const part = await send(partId);
    if (part.sentBy === 'PROVIDER') await steps().completeRefund({ refundId: partId, ...part, at: now() });
    expect(await refundsOf(order)).toEqual(['3000 COMPLETED', '2000 COMPLETED']);
    expect(bank().sent).toEqual([`${order.refundId}:1`, `${partId}:1`]);
  });
});

describe('a chargeback that is returned after it was lost', () => {
  test('has the amount that it paid sent, once, and the buyer gets a mail', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await lose(order, 5_000);
    await send(order.refundId);
    expect(await bankActs(order, 'payment.chargeback_returned', 5_000)).toMatchObject({
      refundsToWake: [{ refundId: order.refundId }],
    });
    expect(await bankActs(order, 'payment.chargeback_lost', 5_000)).toMatchObject({
      outcome: 'WITHOUT_EFFECT',
    });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
    expect(await send(order.refundId)).toMatchObject({ sentBy: 'PROVIDER' });
    expect(bank().requests).toEqual(['look up', 'look up', 'refund']);
    for (let times = 0; times < 2; times++)
      await steps().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await mailsOf(order.refundId)).toEqual(['charged-back', 'sent']);
  });

  test('leaves a refunded order refunded; its request has failed until the money is sent', async () => {
    const order = await deliveredOrder(own.db, { provider: bank() });
    const asked = await requestRefund(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    await lose(order, order.totalMinor);
    await send(refundId);
    expect(await refundState(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
    await bankActs(order, 'payment.chargeback_returned', order.totalMinor);
    expect(await refundState(own.db, asked)).toMatchObject({ request: 'FAILED', order: 'REFUNDED REFUNDED' });
    expect(await send(refundId)).toMatchObject({ sentBy: 'PROVIDER' });
    await steps().completeRefund({ refundId, providerRefundId: 'one', at: now() });
    expect(await refundState(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
  });

  test('a buyer is told again that money could not be sent, when it was given up again', async () => {
    const order = await deliveredOrder(own.db, { provider: bank() });
    const asked = await requestRefund(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    const giveUp = async (): Promise<void> => {
      bank().mood = 'is not reached';
      await expect(send(refundId)).rejects.toThrow();
      bank().mood = 'answers';
      await steps().abandonRefund({ refundId, at: now() });
    };
    await giveUp();
    await lose(order, order.totalMinor);
    await send(refundId);
    await bankActs(order, 'payment.chargeback_returned', order.totalMinor);
    await giveUp();
    const told = `SELECT count(*)::int AS mails FROM outbox_messages WHERE reference LIKE 'refund:' || $1 || ':failed:%'`;
    expect(await firstRow(own.db, told, [asked.refundRequestId])).toEqual({ mails: 2 });
  });

  test('leaves paid what another lost chargeback pays', async () => {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await lose(order, 3_000, 'one');
    await lose(order, 2_000, 'two');
    await send(order.refundId);
    await bankActs(order, 'payment.chargeback_returned', 3_000, 'one');
    expect(await refundsOf(order)).toEqual(['3000 PROCESSING', '2000 CHARGED_BACK']);
    await lose(order, 3_000, 'three');
    await send(order.refundId);
    expect(await refundsOf(order)).toEqual(['3000 CHARGED_BACK', '2000 CHARGED_BACK']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
  });
});

test('a lost chargeback whose taking was never reported pays the refund, which is not sent', async () => {
  const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
  const early = await bankActs(order, 'payment.chargeback_lost', 5_000);
  expect(early).toMatchObject({ outcome: 'APPLIED', refundsToWake: [{ refundId: order.refundId }] });
  expect(await send(order.refundId)).toEqual({ sentBy: 'NOBODY' });
  expect(await refundsOf(order)).toEqual(['5000 CHARGED_BACK']);
});

test('sent and lost at once: each minor unit reaches the buyer once, or is our loss', async () => {
  for (let round = 0; round < 10; round++) {
    const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
    await bankActs(order, 'payment.charged_back', 2_000);
    const [sent] = await Promise.allSettled([
      send(order.refundId, 2),
      bankActs(order, 'payment.chargeback_lost', 2_000),
    ]);
    const after = sent.status === 'fulfilled' ? sent.value : await send(order.refundId, 3);
    expect(after).toMatchObject({ sentBy: 'PROVIDER' });
    await steps().completeRefund({ refundId: order.refundId, providerRefundId: v7(), at: now() });
    expect(await refundsOf(order)).toEqual(['3000 COMPLETED', '2000 CHARGED_BACK']);
  }
});
