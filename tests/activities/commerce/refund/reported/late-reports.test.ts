import { execute } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import { orderState, PRICE_MINOR } from '../../../../support/builders/ordering';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { effectOf, NOTHING, refundReports } from './refund-reports';

/** Reports on refunds that come late, in another order, or while a refund of ours is not sent. */
const own = ownDatabase();
const { apply, at, bookedOn, differences, hears, settle, settledAs, stored, steps, unsent } =
  refundReports(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('a failure is final', () => {
  test('of a refund that was given up: an older report does not complete it', async () => {
    const { refundId, ...order } = await given(own.db).order().paid().cancelled();
    const report = { refundId, as: 're_20' };
    expect(effectOf(await hears('refund.failed', order.orderId, report))).toMatchObject({
      wakes: [refundId],
    });
    await steps().abandonRefund({ refundId, at: at() });
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toEqual(NOTHING);
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION ABANDONED'] });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([]);
    await settle(refundId);
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toEqual(NOTHING);
  });

  test('of a refund whose success was on the way to its process: that is not booked, and a person learns of it', async () => {
    const { refundId, ...order } = await given(own.db).order().paid().cancelled();
    await hears('refund.failed', order.orderId, { refundId, as: 're_21' });
    await expect(
      steps().completeRefund({ refundId, providerRefundId: 're_21', at: at() }),
    ).rejects.toMatchObject({ type: 'RefundRefused', nonRetryable: true });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION PROCESSING'] });
    await steps().abandonRefund({ refundId, at: at() });
  });

  test('of a refund that was made at the provider: the older report takes no sale back', async () => {
    const order = await given(own.db).order().paid();
    expect(effectOf(await hears('refund.failed', order.orderId, { as: 're_22' }))).toEqual(NOTHING);
    expect(effectOf(await hears('refund.completed', order.orderId, { as: 're_22' }))).toEqual(NOTHING);
    expect(await orderState(own.db, order)).toMatchObject({ refunds: [] });
    expect(await differences('re_22')).toEqual([]);
  });
});

describe('a refund that was made at the provider while ours is not sent', () => {
  test('is not booked as another one; ours is settled by it, on the account of the provider', async () => {
    const { refundId, ...order } = await unsent();
    const applied = effectOf(await hears('refund.completed', order.orderId, { as: 're_23' }));
    expect(applied).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringContaining(`If it was for refund ${refundId}, which is not sent`) as string,
    });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION ABANDONED'] });
    await settle(refundId, 're_23');
    expect(await orderState(own.db, order)).toMatchObject({
      ...{ order: 'CANCELLED REFUNDED', refunds: ['CANCELLATION COMPLETED'] },
    });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR]);
    expect(await bookedOn('clearing_bank', refundId)).toEqual([]);
    expect(await differences('re_23')).toEqual([
      expect.objectContaining({ kind: 'MISSING_HERE', isOpen: false }),
    ]);
    // It is ours from now on.
    expect(effectOf(await hears('refund.completed', order.orderId, { as: 're_23' }))).toEqual(NOTHING);
  });

  test('of another amount settles nothing by its name', async () => {
    const { refundId, ...order } = await unsent();
    await hears('refund.completed', order.orderId, { as: 're_24', amountMinor: PRICE_MINOR - 1 });
    await settle(refundId, 're_24');
    expect(await bookedOn('clearing_bank', refundId)).toEqual([PRICE_MINOR]);
    expect(await differences('re_24')).toEqual([expect.objectContaining({ isOpen: true })]);
    await execute(own.db, `DELETE FROM reconciliation_differences WHERE provider_id = 're_24'`);
  });
});

describe('a refund that was made at the provider, and that a person has settled by its name before it was reported', () => {
  test('is that of the provider from its report on, once, and is no other refund', async () => {
    const { refundId, ...order } = await settledAs('re_26');
    const report = () => hears('refund.completed', order.orderId, { as: 're_26' });
    expect(effectOf(await hears('refund.pending', order.orderId, { as: 're_26' }))).toEqual(NOTHING);
    expect((await Promise.all([report(), report()])).map(({ outcome }) => outcome).sort()).toEqual([
      'APPLIED',
      'WITHOUT_EFFECT',
    ]);
    expect(effectOf(await report())).toEqual(NOTHING);
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR]);
    expect(await bookedOn('clearing_bank', refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR]);
    expect(await orderState(own.db, order)).toMatchObject({
      ...{ order: 'CANCELLED REFUNDED', refunds: ['CANCELLATION COMPLETED'] },
    });
    expect(await differences('re_26')).toEqual([]);
    // Neither the same settlement, nor that of another refund, books it again.
    await settle(refundId, 're_26');
    const other = await given(own.db).order().paid().cancelled();
    await steps().abandonRefund({ refundId: other.refundId, at: at() });
    await expect(settle(other.refundId, 're_26')).rejects.toThrow('is already recorded for another payment');
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR]);
  });

  test('and that its provider could not deliver is owed again', async () => {
    const { refundId, ...order } = await settledAs('re_27');
    expect(effectOf(await hears('refund.failed', order.orderId, { as: 're_27' }))).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringContaining('could not deliver') as string,
    });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION ABANDONED'] });
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR]);
    expect(await bookedOn('clearing_bank', refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR]);
  });

  test('with another amount is a difference, and a matter for a person', async () => {
    const { refundId, ...order } = await settledAs('re_28');
    const report = { as: 're_28', amountMinor: PRICE_MINOR - 1 };
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringContaining(`by which refund ${refundId} of`) as string,
    });
    expect(effectOf(await hears('refund.completed', order.orderId, report))).toEqual(NOTHING);
    expect(effectOf(await hears('refund.failed', order.orderId, report))).toEqual(NOTHING);
    expect(await bookedOn('clearing_sandbox', refundId)).toEqual([]);
    expect(await bookedOn('clearing_bank', refundId)).toEqual([PRICE_MINOR]);
    expect(await differences('re_28')).toEqual([
      { kind: 'MISSING_HERE', movementKind: 'REFUND', minor: PRICE_MINOR - 1, isOpen: true },
    ]);
    await execute(own.db, `DELETE FROM reconciliation_differences WHERE provider_id = 're_28'`);
  });
});

test('a report that was applied before, and whose answer was lost, wakes the same process again', async () => {
  const order = await given(own.db).order().paid();
  const event = await stored('refund.completed', order.orderId, { as: 're_25' });
  const first = effectOf(await apply(event));
  expect(first).toMatchObject({ outcome: 'APPLIED', wakes: [expect.any(String)] });
  expect(effectOf(await apply(event))).toEqual({ ...NOTHING, wakes: first.wakes });
});
