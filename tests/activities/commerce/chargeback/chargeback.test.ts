import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { eventRow, noteOf, orderState, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import { approve, deliveredOrder, requestRefund } from '../../../support/builders/refunding';
import {
  at,
  chargebacksOf,
  type Change,
  refundsOf,
  stored,
  takenByTheBank,
  twice,
  type Type,
} from './chargebacks';
import { given } from '../../../support/builders/given';

const own = ownDatabase();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('a chargeback, twice', () => {
  test('is written and booked once; the order stays as it is', async () => {
    const order = await given(own.db).order().paid();
    const { outcomes, webhookEventId } = await twice(own.db, 'payment.charged_back', order, {
      chargebackId: 'c-1',
    });
    expect(outcomes).toEqual(['APPLIED', 'WITHOUT_EFFECT']);
    expect(await chargebacksOf(own.db, order)).toEqual({
      chargedBackMinor: PRICE_MINOR,
      chargebacks: [`${PRICE_MINOR} TAKEN`],
      lossesMinor: -PRICE_MINOR,
    });
    expect((await orderState(own.db, order)).order).toBe('PAID PAID');
    expect(await eventRow(own.db, { webhookEventId, provider: '', externalEventId: '' })).toMatchObject({
      status: 'PROCESSED',
    });
  });

  test('in two events is one; what came back stays back', async () => {
    const order = await given(own.db).order().paid();
    const one = { chargebackId: 'c-2' };
    for (const type of [
      'payment.charged_back',
      'payment.charged_back',
      'payment.chargeback_returned',
      'payment.chargeback_returned',
      'payment.charged_back', // Late, and old.
    ] as const)
      await twice(own.db, type, order, one);
    expect(await chargebacksOf(own.db, order)).toEqual({
      chargedBackMinor: 0,
      chargebacks: [`${PRICE_MINOR} RETURNED`],
      lossesMinor: 0,
    });
  });

  test.each([
    ['alone', ['payment.chargeback_lost']],
    ['before it is taken', ['payment.chargeback_lost', 'payment.charged_back']],
    ['after it is taken', ['payment.charged_back', 'payment.chargeback_lost']],
  ] as const)('lost %s is recorded once, as taken and lost, with its fee', async (_, types) => {
    const order = await given(own.db).order().paid();
    const outcomes = [];
    for (const type of types) {
      const one = { chargebackId: 'c-lost', feeMinor: 1_500 };
      outcomes.push((await twice(own.db, type, order, one)).outcomes);
    }
    expect(outcomes[0]).toEqual(['APPLIED', 'WITHOUT_EFFECT']);
    expect(await chargebacksOf(own.db, order)).toEqual({
      chargedBackMinor: PRICE_MINOR,
      chargebacks: [`${PRICE_MINOR} LOST`],
      lossesMinor: -PRICE_MINOR,
    });
  });

  test('a return that is reported before the taking waits for it', async () => {
    const order = await given(own.db).order().paid();
    const one = { chargebackId: 'c-early' };
    const { outcomes } = await twice(own.db, 'payment.chargeback_returned', order, one);
    expect(outcomes).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
  });

  test('an order that is cancelled after the loss is refunded nothing that the bank has', async () => {
    const order = await given(own.db).order().paid();
    await twice(own.db, 'payment.chargeback_lost', order, { chargebackId: 'c-gone' });
    const noteId = await noteOf(own.db, order.userId, 'Changed my mind');
    const { refundsDue } = await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    expect(refundsDue).toEqual([]);
    expect(await refundsOf(own.db, order)).toEqual([]);
  });

  test('of a part leaves the rest, and another takes it', async () => {
    const order = await given(own.db).order().paid();
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-3', amountMinor: 1_000 });
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-4', amountMinor: 4_000 });
    await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-3', amountMinor: 1_000 });
    expect(await chargebacksOf(own.db, order)).toEqual({
      chargedBackMinor: 4_000,
      chargebacks: ['1000 RETURNED', '4000 TAKEN'],
      lossesMinor: -4_000,
    });
  });

  test('twenty reports at once count once', async () => {
    const order = await given(own.db).order().paid();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () =>
        stored(own.db, 'payment.charged_back', order, { chargebackId: 'c-5' }),
      ),
    );
    const effects = await Promise.all(
      ids.map((webhookEventId) => steps().applyPaymentEvent({ webhookEventId, at })),
    );
    expect(effects.filter(({ outcome }) => outcome === 'APPLIED')).toHaveLength(1);
    expect(await chargebacksOf(own.db, order)).toMatchObject({ chargedBackMinor: PRICE_MINOR });
  });

  test('is not sent back a second time when the order is cancelled; what the bank returns then is', async () => {
    const order = await given(own.db).order().paid();
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-a', amountMinor: 1_000 });
    const noteId = await noteOf(own.db, order.userId, 'No.');
    const { refundsDue } = await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    expect(await refundsOf(own.db, order)).toEqual([4_000]);
    await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-a', amountMinor: 1_000 });
    expect(await refundsOf(own.db, order)).toEqual([4_000, 1_000]);
    const webhookEventId = await stored(own.db, 'payment.chargeback_returned', order, {
      chargebackId: 'c-a',
      amountMinor: 1_000,
    });
    const again = await steps().applyPaymentEvent({ webhookEventId, at });
    expect(again).toMatchObject({ outcome: 'WITHOUT_EFFECT', refundsDue: [refundsDue[0], {}] });
  });

  test('of all of it leaves nothing to send when the order is cancelled', async () => {
    const order = await given(own.db).order().paid();
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-b' });
    const noteId = await noteOf(own.db, order.userId, 'No.');
    const cancelled = await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    expect(cancelled.refundsDue).toEqual([]);
    await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-b' });
    expect(await refundsOf(own.db, order)).toEqual([PRICE_MINOR]);
    expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
  });

  test('comes after the money was sent back: it is written down all the same', async () => {
    const order = await given(own.db).order().paid();
    const noteId = await noteOf(own.db, order.userId, 'No.');
    await steps().cancelOrder({ orderId: order.orderId, noteId, at });
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-6' });
    expect(await chargebacksOf(own.db, order)).toMatchObject({ chargedBackMinor: PRICE_MINOR });
  });
});

describe('money that the bank returns of an order that lives is sent to nobody', () => {
  test.each(['PAID', 'DELIVERED', 'REFUNDED'])('%s', async (status) => {
    const order = status === 'PAID' ? await given(own.db).order().paid() : await deliveredOrder(own.db);
    await takenByTheBank(own.db, order, 1_000);
    if (status === 'REFUNDED') {
      const asked = await requestRefund(own.db, order);
      const { refundsDue } = await approve(own.db, asked, { amountMinor: 4_500 });
      for (const { refundId } of refundsDue)
        await steps().completeRefund({ refundId, providerRefundId: v7(), at });
    }
    const before = await rows(own.db, 'SELECT id FROM payment_refunds WHERE order_id = $1', [order.orderId]);
    await takenByTheBank(own.db, order, 1_000, 'RETURNED');
    expect(await steps().refundsDue({ orderId: order.orderId })).toEqual([]);
    const after = await rows(own.db, 'SELECT id FROM payment_refunds WHERE order_id = $1', [order.orderId]);
    expect(after).toEqual(before);
  });
});

test('fees are booked with the money, and what the provider returns of them', async () => {
  const order = await given(own.db).order().paid();
  await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-f', feeMinor: 1_500 });
  const fees = () =>
    rows(
      own.db,
      `SELECT e.amount_minor AS minor FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
       JOIN chargebacks c ON t.kind = 'chargeback-fee' AND t.subject_id = c.id::text
       WHERE c.order_id = $1 AND e.account = 'provider_fees' ORDER BY e.id`,
      [order.orderId],
    );
  expect(await fees()).toEqual([{ minor: -1_500 }]);
  await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-f', feeMinor: 0 });
  expect(await fees()).toEqual([{ minor: -1_500 }, { minor: 1_500 }]);
});

describe('a report that cannot be applied', () => {
  test('returns what was never taken, or takes what never came: it waits', async () => {
    const order = await given(own.db).order().paid();
    const early = await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-7' });
    expect(early.outcomes).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
    const stray = await twice(own.db, 'payment.charged_back', order, {
      chargebackId: 'c-7',
      paymentId: 'p-x',
    });
    expect(stray.outcomes).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-7' });
    await steps().applyPaymentEvent({ webhookEventId: early.webhookEventId, at });
    expect(await chargebacksOf(own.db, order)).toMatchObject({ chargebacks: [`${PRICE_MINOR} RETURNED`] });
  });

  test.each<[string, Type, Change]>([
    ['takes more than came', 'payment.charged_back', { chargebackId: 'c-9', amountMinor: PRICE_MINOR + 1 }],
    ['takes more than is left', 'payment.charged_back', { chargebackId: 'c-9', amountMinor: 4_001 }],
    ['takes other money', 'payment.charged_back', { chargebackId: 'c-9', currency: 'EUR' }],
    ['takes another sum by the same id', 'payment.charged_back', { chargebackId: 'c-8', amountMinor: 999 }],
    ['returns another sum', 'payment.chargeback_returned', { chargebackId: 'c-8', amountMinor: 1 }],
    ['has no id', 'payment.charged_back', {}],
  ])('%s: nothing is written, and no retry helps', async (_, type, change) => {
    const order = await given(own.db).order().paid();
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-8', amountMinor: 1_000 });
    const webhookEventId = await stored(own.db, type, order, change);
    await expect(steps().applyPaymentEvent({ webhookEventId, at })).rejects.toMatchObject({
      type: 'PoisonousEvent',
      nonRetryable: true,
    });
    expect(await chargebacksOf(own.db, order)).toMatchObject({
      chargebacks: ['1000 TAKEN'],
      chargedBackMinor: 1_000,
    });
  });
});
