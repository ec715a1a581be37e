import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { v7 } from 'uuid';
import { openMatters } from '../../../db/identity/open-matters.reads';
import { rows } from '../../../db/sql';
import type { SentRefund } from '../../../workflows/commerce/payment-refund.contract';
import type { ChargebackReportType } from '../../../workflows/commerce/payment-report.rules';
import { brokenBooks } from '../../support/books';
import { ownDatabase } from '../../support/database';
import { FakeBank } from '../../support/fake-bank';
import { make } from '../../support/make';
import { noteOf, orderBook, orderBooks, orderToRefund, paidOrder } from '../../support/ordering';
import { approve, arrived, askBack, refundBook } from '../../support/refunding';
import { bookOf, stored } from './chargebacks';

const own = ownDatabase();
let bank: FakeBank;
beforeEach(() => {
  bank = new FakeBank();
});
afterEach(async () => {
  expect(await brokenBooks(own.db)).toEqual([]);
});

const now = (): string => new Date().toISOString();
const books = () => orderBooks(own.db, bank);
const logger = new DefaultLogger('ERROR');
const send = (refundId: string, attempt = 1): Promise<SentRefund> =>
  new MockActivityEnvironment({ attempt }, { logger }).run(books().sendRefund, { refundId, again: false });

type Order = Parameters<typeof stored>[2];

/** The bank acts on one chargeback of an order, as its provider reports; answers what came of it. */
async function bankActs(order: Order, type: ChargebackReportType, amountMinor: number, name = 'one') {
  const change = { chargebackId: name, amountMinor, provider: bank.code };
  const webhookEventId = await stored(own.db, type, order, change);
  return books().applyPaymentEvent({ webhookEventId, at: now() });
}

async function lose(order: Order, amountMinor: number, name = 'one') {
  await bankActs(order, 'payment.charged_back', amountMinor, name);
  return bankActs(order, 'payment.chargeback_lost', amountMinor, name);
}

/** The refunds of an order, as `<amount> <status>`, the oldest first. */
const refundsOf = async ({ orderId }: { orderId: string }): Promise<string[]> => {
  const found = await rows<{ refund: string }>(
    own.db,
    `SELECT amount_minor || ' ' || status AS refund FROM payment_refunds WHERE order_id = $1
     ORDER BY created_at, coalesce(split_from, id), split_from IS NOT NULL, id`,
    [orderId],
  );
  return found.map(({ refund }) => refund);
};

/** What an order has left in the accounts of what is owed and of what is lost. */
const accountsOf = async ({ orderId }: { orderId: string }) => {
  const found = await rows<{ account: string; minor: number }>(
    own.db,
    `SELECT e.account, sum(e.amount_minor)::bigint AS minor FROM ledger_entries e
     JOIN ledger_transfers t ON t.id = e.transfer_id
     WHERE e.account IN ('refunds', 'losses') AND split_part(t.reference, ':', 2)::uuid IN (
       SELECT $1::uuid UNION SELECT id FROM payment_refunds WHERE order_id = $1
       UNION SELECT id FROM refund_requests WHERE order_id = $1
       UNION SELECT id FROM chargebacks WHERE order_id = $1 UNION SELECT id FROM payment_captures WHERE order_id = $1)
     GROUP BY 1`,
    [orderId],
  );
  return {
    refunds: 0,
    losses: 0,
    ...Object.fromEntries(found.map(({ account, minor }) => [account, minor])),
  };
};

const mailsOf = async (refundId: string): Promise<string[]> => {
  const found = await rows<{ reference: string }>(
    own.db,
    'SELECT reference FROM outbox_messages WHERE reference LIKE $1 ORDER BY id',
    [`payment-refund:${refundId}:%`],
  );
  return found.map(({ reference }) => reference.split(':')[2]!);
};

/** An order of 50.00 whose money goes back by two refunds: 30.00 by an administrator, 20.00 since it was cancelled. */
async function twoRefunds() {
  const order = await paidOrder(own.db, { provider: bank });
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'A scratch.');
  const asked = { items: null, amountMinor: 3_000, includeShipping: false, noteId, at: now() };
  const { orderId, userId } = order;
  const by = await books().refundOrder({ refundRequestId: v7(), orderId, userId, ...asked });
  const cancelled = await books().cancelOrder({
    orderId,
    noteId: await noteOf(own.db, userId, 'No.'),
    at: now(),
  });
  return { ...order, refundIds: [by.refundsDue[0]!.refundId, cancelled.refundsDue[0]!.refundId] };
}

test('an unsent refund ends by the chargeback that was lost, once; nothing is owed, lost or sent', async () => {
  const order = await orderToRefund(own.db, { provider: bank });
  await bankActs(order, 'payment.charged_back', 5_000);
  await expect(send(order.refundId)).rejects.toMatchObject({ type: 'RefundRefused' });
  for (const outcome of ['APPLIED', 'WITHOUT_EFFECT'])
    expect(await bankActs(order, 'payment.chargeback_lost', 5_000)).toMatchObject({
      outcome,
      refundsToWake: [{ refundId: order.refundId, orderId: order.orderId }],
    });
  for (let times = 0; times < 2; times++) expect(await send(order.refundId, 2)).toEqual({ sentBy: 'NOBODY' });
  expect(bank.sent).toEqual([]);
  expect(await orderBook(own.db, order)).toMatchObject({
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
      if (sent.sentBy === 'PROVIDER') await books().completeRefund({ refundId, ...sent, at: now() });
    }
    expect(await refundsOf(order)).toEqual(refunds);
    expect((await orderBook(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: 0 });
  });

  test('and is undone to the minor unit when the bank returns it', async () => {
    const order = await twoRefunds();
    await lose(order, lostMinor);
    for (const refundId of order.refundIds) {
      const sent = await send(refundId);
      if (sent.sentBy === 'PROVIDER') await books().completeRefund({ refundId, ...sent, at: now() });
    }
    await bankActs(order, 'payment.chargeback_returned', lostMinor);
    expect((await orderBook(own.db, order)).order).toBe('CANCELLED PAID');
    expect(await accountsOf(order)).toEqual({ refunds: lostMinor, losses: 0 });
    expect(await refundsOf(order)).toEqual(
      refunds.map((refund) => refund.replace('CHARGED_BACK', 'PROCESSING')),
    );
  });
});

test('of a dispute beside a refund, only what passes the payment together pays the refund', async () => {
  const order = await paidOrder(own.db, { provider: bank });
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'A scratch.');
  const { orderId, userId } = order;
  const wish = { items: null, amountMinor: 3_000, includeShipping: false, orderId, userId, noteId };
  const { refundsDue } = await books().refundOrder({ ...wish, refundRequestId: v7(), at: now() });
  await lose(order, 4_000);
  const { refundId } = refundsDue[0]!;
  expect(await send(refundId)).toMatchObject({ sentBy: 'PROVIDER' });
  await books().completeRefund({ refundId, providerRefundId: 'one', at: now() });
  expect(await refundsOf(order)).toEqual(['1000 COMPLETED', '2000 CHARGED_BACK']);
  expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -2_000 });
  await expect(
    books().refundOrder({ ...wish, amountMinor: 1, refundRequestId: v7(), at: now() }),
  ).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  const cancelled = await books().cancelOrder({
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
      const order = await arrived(own.db, { provider: bank });
      const asked = await askBack(own.db, order);
      const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
      if (when === 'before') await books().abandonRefund({ refundId, at: now() });
      await lose(order, order.totalMinor);
      if (when === 'after') await books().abandonRefund({ refundId, at: now() });
      expect(await refundBook(own.db, asked)).toMatchObject({
        request: 'COMPLETED',
        order: 'REFUNDED REFUNDED',
        sent: `CHARGED_BACK ${order.totalMinor}`,
      });
      const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
      const settled = books().settleRefund({ refundId, noteId, at: now() });
      await expect(settled).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
    },
  );

  test('stays owed, as far as no chargeback has paid it, until it is settled', async () => {
    const order = await arrived(own.db, { provider: bank });
    const asked = await askBack(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    await books().abandonRefund({ refundId, at: now() });
    await lose(order, 1_500);
    expect(await refundsOf(order)).toEqual([`${order.totalMinor - 1_500} ABANDONED`, '1500 CHARGED_BACK']);
    expect(await refundBook(own.db, asked)).toMatchObject({ request: 'FAILED', order: 'DELIVERED PAID' });
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
    await books().settleRefund({ refundId, noteId, at: now() });
    expect((await refundBook(own.db, asked)).request).toBe('COMPLETED');
  });
});

describe('a refund that reached the buyer', () => {
  test('before the chargeback was lost stays sent, and the chargeback is our loss', async () => {
    const order = await orderToRefund(own.db, { provider: bank });
    await books().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect(await lose(order, 5_000)).toMatchObject({ outcome: 'APPLIED', refundsToWake: [] });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });

  test('though nobody heard of it is found before anything ends', async () => {
    const order = await orderToRefund(own.db, { provider: bank });
    bank.mood = 'loses the answer';
    await expect(send(order.refundId)).rejects.toThrow();
    await lose(order, 5_000);
    bank.mood = 'answers';
    const found = await send(order.refundId);
    expect(found).toMatchObject({ sentBy: 'PROVIDER' });
    await books().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect(await refundsOf(order)).toEqual(['5000 COMPLETED']);
    expect(await accountsOf(order)).toEqual({ refunds: 0, losses: -5_000 });
  });
});

describe('a chargeback that is returned after it was lost', () => {
  test('has what it paid sent, once, and the buyer told', async () => {
    const order = await orderToRefund(own.db, { provider: bank });
    await lose(order, 5_000);
    await send(order.refundId);
    expect(await bankActs(order, 'payment.chargeback_returned', 5_000)).toMatchObject({
      refundsToWake: [{ refundId: order.refundId }],
    });
    expect(await bankActs(order, 'payment.chargeback_lost', 5_000)).toMatchObject({
      outcome: 'WITHOUT_EFFECT',
    });
    expect((await orderBook(own.db, order)).order).toBe('CANCELLED PAID');
    expect(await send(order.refundId)).toMatchObject({ sentBy: 'PROVIDER' });
    expect(bank.asked).toEqual(['look up', 'look up', 'refund']);
    for (let times = 0; times < 2; times++)
      await books().completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect((await orderBook(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await mailsOf(order.refundId)).toEqual(['charged-back', 'sent']);
  });

  test('leaves a refunded order refunded; its request has failed until the money is sent', async () => {
    const order = await arrived(own.db, { provider: bank });
    const asked = await askBack(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    await lose(order, order.totalMinor);
    await send(refundId);
    expect(await refundBook(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
    await bankActs(order, 'payment.chargeback_returned', order.totalMinor);
    expect(await refundBook(own.db, asked)).toMatchObject({ request: 'FAILED', order: 'REFUNDED REFUNDED' });
    expect(await send(refundId)).toMatchObject({ sentBy: 'PROVIDER' });
    await books().completeRefund({ refundId, providerRefundId: 'one', at: now() });
    expect(await refundBook(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
  });

  test('leaves paid what another lost chargeback pays', async () => {
    const order = await orderToRefund(own.db, { provider: bank });
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

test('a chargeback is lost that nobody has told of yet: the report waits', async () => {
  const order = await orderToRefund(own.db, { provider: bank });
  const early = await bankActs(order, 'payment.chargeback_lost', 5_000);
  expect(early).toEqual({ outcome: 'UNKNOWN_PAYMENT' });
});

test('sent and lost at once: each minor unit reaches the buyer once, or is our loss', async () => {
  for (let round = 0; round < 10; round++) {
    const order = await orderToRefund(own.db, { provider: bank });
    await bankActs(order, 'payment.charged_back', 2_000);
    const [sent] = await Promise.allSettled([
      send(order.refundId, 2),
      bankActs(order, 'payment.chargeback_lost', 2_000),
    ]);
    const after = sent.status === 'fulfilled' ? sent.value : await send(order.refundId, 3);
    expect(after).toMatchObject({ sentBy: 'PROVIDER' });
    await books().completeRefund({ refundId: order.refundId, providerRefundId: v7(), at: now() });
    expect(await refundsOf(order)).toEqual(['3000 COMPLETED', '2000 CHARGED_BACK']);
  }
});
