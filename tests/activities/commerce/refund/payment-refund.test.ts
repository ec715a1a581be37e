import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { firstRow, rows } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { noteOf, orderState, orderSteps, storedReport } from '../../../support/builders/ordering';
import { given } from '../../../support/builders/given';
import { v7 } from 'uuid';
import { openMatters } from '../../../../db/identity/user/open-matters.reads';
import { make } from '../../../support/builders/make';
import { approve, deliveredOrder, refundState, requestRefund } from '../../../support/builders/refunding';
import { asActivity } from '../../../support/servers/run-activity';
import { takenByTheBank } from '../chargeback/chargebacks';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('sending', () => {
  /** Soon after an order of these is placed. */
  const at = new Date(Date.now() + 10 * 60_000).toISOString();
  const logger = new DefaultLogger('ERROR');

  /** Sends as a worker would, at its first try or a later one. */
  const send = (bank: FakeBank, refundId: string, { attempt = 1, again = false } = {}): Promise<SentRefund> =>
    new MockActivityEnvironment({ attempt }, { logger }).run(orderSteps(own.db, bank).sendRefund, {
      refundId,
      again,
      at: new Date().toISOString(),
    });

  describe('sendRefund', () => {
    test('asks the provider, with the refund and the number of the attempt as its key', async () => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      expect(await send(bank, refundId)).toEqual({
        sentBy: 'PROVIDER',
        providerRefundId: expect.any(String),
      });
      expect(bank.requests).toEqual(['refund']);
      expect(bank.sent).toEqual([`${refundId}:1`]);
    });

    test.each([{ attempt: 2 }, { again: true }])('looks before it asks once more: %j', async (repeat) => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      const first = await send(bank, refundId);
      expect(await send(bank, refundId, repeat)).toEqual(first);
      expect(bank.requests).toEqual(['refund', 'look up']);
    });

    test('looks it up first in a later run too, when an earlier run may have asked', async () => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      bank.mood = 'loses the answer';
      await expect(send(bank, refundId)).rejects.toThrow();
      bank.mood = 'answers';
      expect(await send(bank, refundId)).toMatchObject({ sentBy: 'PROVIDER' });
      expect(bank.requests).toEqual(['refund', 'look up']);
      expect(bank.sent).toEqual([`${refundId}:1`]);
    });

    test('two first tries at once: one asks, and the other looks it up', async () => {
      for (let round = 0; round < 10; round++) {
        const bank = new FakeBank();
        const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
        await Promise.allSettled([send(bank, refundId), send(bank, refundId)]);
        await send(bank, refundId, { attempt: 2 });
        expect(bank.sent).toEqual([`${refundId}:1`]);
      }
    });

    test('asks when the try before never arrived', async () => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      await send(bank, refundId, { attempt: 2 });
      expect(bank.requests).toEqual(['look up', 'refund']);
      expect(bank.sent).toEqual([`${refundId}:1`]);
    });

    test('a refusal is final for this call', async () => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      bank.mood = 'refuses';
      await expect(send(bank, refundId)).rejects.toMatchObject({ type: 'RefundRefused', nonRetryable: true });
    });
  });

  describe('completeRefund, twice', () => {
    test('the money is booked as sent once, and the order is no longer paid', async () => {
      const bank = new FakeBank();
      const order = await given(own.db).order({ provider: bank }).paid().cancelled();
      const { refundId } = order;
      const sent = await send(bank, refundId);
      const providerRefundId = sent.sentBy === 'PROVIDER' ? sent.providerRefundId : '';
      for (let times = 0; times < 2; times++)
        await orderSteps(own.db, bank).completeRefund({ refundId, providerRefundId, at });
      expect(await orderState(own.db, order)).toMatchObject({
        order: 'CANCELLED REFUNDED',
        refunds: ['CANCELLATION COMPLETED'],
      });
      const booked = await rows(own.db, `SELECT 1 FROM ledger_transfers WHERE subject_id = $1`, [refundId]);
      expect(booked).toHaveLength(1);
    });

    test('by another payment of the provider is a matter for a person', async () => {
      const bank = new FakeBank();
      const { refundId } = await given(own.db).order({ provider: bank }).paid().cancelled();
      const steps = orderSteps(own.db, bank);
      await steps.completeRefund({ refundId, providerRefundId: 're_1', at });
      await expect(steps.completeRefund({ refundId, providerRefundId: 're_2', at })).rejects.toMatchObject({
        nonRetryable: true,
        message: expect.stringContaining('re_2'),
      });
    });

    test('an order is paid as long as part of its money is still on the way', async () => {
      const bank = new FakeBank();
      const order = await given(own.db).order({ provider: bank }).paid().cancelled();
      const steps = orderSteps(own.db, bank);
      const { webhookEventId } = await storedReport(own.db, 'PAID', { ...order, provider: bank.code });
      const applied = await steps.applyPaymentEvent({ webhookEventId, at });
      const late = 'refundsDue' in applied ? applied.refundsDue : [];
      expect(late).toHaveLength(1);
      await steps.completeRefund({ refundId: order.refundId, providerRefundId: 'one', at });
      expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
      await steps.completeRefund({ refundId: late[0]!.refundId, providerRefundId: 'two', at });
      expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    });
  });

  test('abandonRefund, twice: the money stays owed; one that was sent stays sent', async () => {
    const bank = new FakeBank();
    const [abandoned, sent] = [
      await given(own.db).order({ provider: bank }).paid().cancelled(),
      await given(own.db).order({ provider: bank }).paid().cancelled(),
    ];
    const steps = orderSteps(own.db, bank);
    await steps.completeRefund({ refundId: sent.refundId, providerRefundId: 'one', at });
    for (const { refundId } of [abandoned, abandoned, sent]) await steps.abandonRefund({ refundId, at });
    expect((await orderState(own.db, abandoned)).refunds).toEqual(['CANCELLATION ABANDONED']);
    expect((await orderState(own.db, sent)).refunds).toEqual(['CANCELLATION COMPLETED']);
  });
});

describe('settling', () => {
  const now = (): string => new Date().toISOString();
  const send = (refundId: string, bank?: FakeBank): Promise<SentRefund> =>
    asActivity(orderSteps(own.db, bank).sendRefund)({ refundId, again: false, at: now() });

  /** Says that a refund is sent, by a reference; the note's id is the settlement's. */
  async function settle(refundId: string, reference: string, noteId?: string): Promise<void> {
    const kept = noteId ?? (await noteOf(own.db, (await make.admin(own.db)).id, reference));
    await orderSteps(own.db).settleRefund({ refundId, noteId: kept, at: now() });
  }
  const abandon = (refundId: string): Promise<unknown> =>
    orderSteps(own.db).abandonRefund({ refundId, at: now() });

  test('money of a transfer goes back through the bank, whichever provider is configured: by a person', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    const asked = { sentBy: 'PERSON', remindAfterMs: 3 * 24 * 3_600_000 };
    expect(await send(order.refundId)).toEqual(asked);
    expect(await send(order.refundId, new FakeBank())).toEqual(asked);
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
  });

  test('settled once: booked at our bank, the order no longer paid, a mail to the buyer, and audited', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    const admin = await make.admin(own.db);
    const noteId = await noteOf(own.db, admin.id, 'OUT-1');
    for (let times = 0; times < 2; times++) await settle(order.refundId, 'OUT-1', noteId);
    expect(await orderState(own.db, order)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['CANCELLATION COMPLETED'],
    });
    const entries = await rows(
      own.db,
      `SELECT e.account, e.amount_minor AS minor FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
     WHERE t.kind = 'payment-refund' AND t.subject_id = $1 ORDER BY 1`,
      [order.refundId],
    );
    expect(entries).toEqual([
      { account: 'clearing_bank', minor: 5_000 },
      { account: 'refunds', minor: -5_000 },
    ]);
    const mails = await rows(own.db, `SELECT 1 FROM outbox_messages WHERE reference = $1`, [
      `payment-refund:${order.refundId}:sent:1`,
    ]);
    expect(mails).toHaveLength(1);
    const records = await rows(
      own.db,
      `SELECT actor_id AS actor, action, next FROM audit_records WHERE entity_id = $1`,
      [order.refundId],
    );
    expect(records).toEqual([
      { actor: admin.id, action: 'payment-refund.settle', next: { status: 'COMPLETED', reference: 'OUT-1' } },
    ]);
  });

  test('settled already, by whatever: ALREADY_SETTLED', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    await settle(order.refundId, 'OUT-2');
    await expect(settle(order.refundId, 'OUT-3')).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
    const sent = await given(own.db).order().paid().cancelled();
    await orderSteps(own.db).completeRefund({ refundId: sent.refundId, providerRefundId: 'one', at: now() });
    await expect(settle(sent.refundId, 'OUT-4')).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
  });

  test('settled before it was sent: there is nothing left to send', async () => {
    const bank = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    await settle(bank.refundId, v7());
    expect(await send(bank.refundId)).toEqual({ sentBy: 'NOBODY' });
  });

  test('one reference settles one refund, also when two are settled at once', async () => {
    const wrong = {
      type: 'VALIDATION_ERROR',
      details: [{ reference: [expect.any(String)] }, 'TRANSFER_ALREADY_USED'],
    };
    for (let round = 0; round < 5; round++) {
      const orders = [
        await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled(),
        await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled(),
      ];
      const reference = v7();
      // Every other round in two spellings, which are one reference to a bank.
      const spellings = [reference, round % 2 ? reference.toUpperCase().replace('-', ' - ') : reference];
      const results = await Promise.allSettled(
        orders.map(({ refundId }, nth) => settle(refundId, spellings[nth]!)),
      );
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = results.find((result) => result.status === 'rejected');
      expect(lost).toMatchObject({ reason: wrong });
      const third = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
      for (const spelling of [reference, ` ${reference.toUpperCase()}`])
        await expect(settle(third.refundId, spelling)).rejects.toMatchObject(wrong);
    }
  });

  test('two settle one refund at once: one does', async () => {
    for (let round = 0; round < 5; round++) {
      const { refundId } = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
      const results = await Promise.allSettled([settle(refundId, v7()), settle(refundId, v7())]);
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(refused).toMatchObject([{ type: 'ALREADY_SETTLED' }]);
    }
  });

  test('a refund that its provider may still send cannot be settled; given up, it is owed until it is settled', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await expect(settle(order.refundId, v7())).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
    await abandon(order.refundId);
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
    const matters = () => openMatters(own.db, order.userId, { at: new Date(), returnWindowDays: null });
    expect(await matters()).toEqual([expect.stringMatching(/^money for order .+ is owed$/)]);
    await settle(order.refundId, v7());
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(await matters()).toEqual([]);
  });

  test('money that the provider sent, though it was settled in another way meanwhile, is a matter for a person', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await abandon(order.refundId);
    await settle(order.refundId, v7());
    const sent = orderSteps(own.db).completeRefund({
      refundId: order.refundId,
      providerRefundId: 're_late',
      at: now(),
    });
    await expect(sent).rejects.toMatchObject({
      type: 'RefundRefused',
      nonRetryable: true,
      message: expect.stringMatching(/re_late, although it is COMPLETED by another payment\.$/),
    });
  });

  test('a request that failed is done when its money is settled, and the order with it', async () => {
    const bank = new FakeBank();
    const order = await deliveredOrder(own.db, { provider: bank });
    const asked = await requestRefund(own.db, order);
    const { refundId } = (await approve(own.db, asked)).refundsDue[0]!;
    await abandon(refundId);
    expect(await refundState(own.db, asked)).toMatchObject({ request: 'FAILED', order: 'DELIVERED PAID' });
    await settle(refundId, v7());
    expect(await refundState(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
    const mails = await rows(
      own.db,
      `SELECT reference FROM outbox_messages WHERE reference LIKE $1 ORDER BY id`,
      [`refund:${asked.refundRequestId}:%`],
    );
    expect(mails.map((mail) => Object.values(mail)[0])).toEqual(
      ['approved', 'failed:1', 'sent:1'].map((mail) => `refund:${asked.refundRequestId}:${mail}`),
    );
  });

  test('one request given up and the rest completed: the order is not REFUNDED', async () => {
    const order = await deliveredOrder(own.db, { lines: [{ priceMinor: 5_000, quantity: 2 }] });
    const one = [{ itemId: order.items[0]!.id, quantity: 1 }];
    const first = await requestRefund(own.db, order, { items: one });
    await abandon((await approve(own.db, first)).refundsDue[0]!.refundId);
    const rest = await requestRefund(own.db, order);
    const { refundId } = (await approve(own.db, rest)).refundsDue[0]!;
    await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: now() });
    expect(await refundState(own.db, first)).toMatchObject({
      request: 'FAILED',
      order: 'DELIVERED PAID',
      left: 0,
    });
  });

  test('a cancelled order is not paid back while other money of it was given up', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await abandon(order.refundId);
    const { webhookEventId } = await storedReport(own.db, 'PAID', order);
    const applied = await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: now() });
    const late = 'refundsDue' in applied ? applied.refundsDue : [];
    await orderSteps(own.db).completeRefund({
      refundId: late[0]!.refundId,
      providerRefundId: 'two',
      at: now(),
    });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
  });

  test('money that comes once more for a cancelled order that was paid back is owed again', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await orderSteps(own.db).completeRefund({ refundId: order.refundId, providerRefundId: 'one', at: now() });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
    const { webhookEventId } = await storedReport(own.db, 'PAID', order);
    await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: now() });
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
  });

  test('a chargeback that comes before the money is sent: it is neither sent nor settled a second time', async () => {
    const order = await given(own.db).order().paid().cancelled();
    await takenByTheBank(own.db, order, 5_000);
    await expect(send(order.refundId)).rejects.toMatchObject({
      type: 'RefundRefused',
      message: expect.stringContaining('took 50.00 USD of it back'),
    });
    await abandon(order.refundId);
    await expect(settle(order.refundId, v7())).rejects.toMatchObject({ type: 'CANNOT_SETTLE' });
    const sent = await firstRow(own.db, `SELECT 1 FROM sandbox_refunds WHERE key = $1`, [
      `${order.refundId}:1`,
    ]);
    expect(sent).toBeNull();
  });
});
