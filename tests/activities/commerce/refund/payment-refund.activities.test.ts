import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { rows } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { orderStep, orderSteps, orderToRefund, storedReport } from '../../../support/builders/ordering';

const own = ownDatabase();
/** Soon after an order of these is placed. */
const at = new Date(Date.now() + 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const logger = new DefaultLogger('ERROR');
/** Sends as a worker would, at its first try or a later one. */
const send = (bank: FakeBank, refundId: string, { attempt = 1, again = false } = {}): Promise<SentRefund> =>
  new MockActivityEnvironment({ attempt }, { logger }).run(orderSteps(own.db, bank).sendRefund, {
    refundId,
    again,
  });

describe('sendRefund', () => {
  test('asks the provider, with the refund as its key', async () => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    expect(await send(bank, refundId)).toEqual({ sentBy: 'PROVIDER', providerRefundId: expect.any(String) });
    expect(bank.requests).toEqual(['refund']);
    expect(bank.sent).toEqual([refundId]);
  });

  test.each([{ attempt: 2 }, { again: true }])('looks before it asks once more: %j', async (repeat) => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    const first = await send(bank, refundId);
    expect(await send(bank, refundId, repeat)).toEqual(first);
    expect(bank.requests).toEqual(['refund', 'look up']);
  });

  test('looks it up first in a later run too, when an earlier run may have asked', async () => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    bank.mood = 'loses the answer';
    await expect(send(bank, refundId)).rejects.toThrow();
    bank.mood = 'answers';
    expect(await send(bank, refundId)).toMatchObject({ sentBy: 'PROVIDER' });
    expect(bank.requests).toEqual(['refund', 'look up']);
    expect(bank.sent).toEqual([refundId]);
  });

  test('two first tries at once: one asks, and the other looks it up', async () => {
    for (let round = 0; round < 10; round++) {
      const bank = new FakeBank();
      const { refundId } = await orderToRefund(own.db, { provider: bank });
      await Promise.allSettled([send(bank, refundId), send(bank, refundId)]);
      await send(bank, refundId, { attempt: 2 });
      expect(bank.sent).toEqual([refundId]);
    }
  });

  test('asks when the try before never arrived', async () => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    await send(bank, refundId, { attempt: 2 });
    expect(bank.requests).toEqual(['look up', 'refund']);
  });

  test('a refusal is final for this call', async () => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    bank.mood = 'refuses';
    await expect(send(bank, refundId)).rejects.toMatchObject({ type: 'RefundRefused', nonRetryable: true });
  });
});

describe('completeRefund, twice', () => {
  test('the money is booked as sent once, and the order is no longer paid', async () => {
    const bank = new FakeBank();
    const order = await orderToRefund(own.db, { provider: bank });
    const { refundId } = order;
    const sent = await send(bank, refundId);
    const providerRefundId = sent.sentBy === 'PROVIDER' ? sent.providerRefundId : '';
    for (let times = 0; times < 2; times++)
      await orderSteps(own.db, bank).completeRefund({ refundId, providerRefundId, at });
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['CANCELLATION COMPLETED'],
    });
    const booked = await rows(own.db, `SELECT 1 FROM ledger_transfers WHERE reference = $1`, [
      `payment-refund:${refundId}`,
    ]);
    expect(booked).toHaveLength(1);
  });

  test('by another refund of the provider is a matter for a person', async () => {
    const bank = new FakeBank();
    const { refundId } = await orderToRefund(own.db, { provider: bank });
    const steps = orderSteps(own.db, bank);
    await steps.completeRefund({ refundId, providerRefundId: 're_1', at });
    await expect(steps.completeRefund({ refundId, providerRefundId: 're_2', at })).rejects.toMatchObject({
      nonRetryable: true,
      message: expect.stringContaining('re_2'),
    });
  });

  test('an order is paid as long as part of its money is still on the way', async () => {
    const bank = new FakeBank();
    const order = await orderToRefund(own.db, { provider: bank });
    const steps = orderSteps(own.db, bank);
    const { webhookEventId } = await storedReport(own.db, 'PAID', { ...order, provider: bank.code });
    const applied = await steps.applyPaymentEvent({ webhookEventId, at });
    const late = applied.outcome === 'UNKNOWN_PAYMENT' ? [] : applied.refundsDue;
    expect(late).toHaveLength(1);
    await steps.completeRefund({ refundId: order.refundId, providerRefundId: 'one', at });
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED PAID');
    await steps.completeRefund({ refundId: late[0]!.refundId, providerRefundId: 'two', at });
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED REFUNDED');
  });
});

test('abandonRefund, twice: the money stays owed; one that was sent stays sent', async () => {
  const bank = new FakeBank();
  const [given, sent] = [
    await orderToRefund(own.db, { provider: bank }),
    await orderToRefund(own.db, { provider: bank }),
  ];
  const steps = orderSteps(own.db, bank);
  await steps.completeRefund({ refundId: sent.refundId, providerRefundId: 'one', at });
  for (const { refundId } of [given, given, sent]) await steps.abandonRefund({ refundId, at });
  expect((await orderStep(own.db, given)).refunds).toEqual(['CANCELLATION ABANDONED']);
  expect((await orderStep(own.db, sent)).refunds).toEqual(['CANCELLATION COMPLETED']);
});
