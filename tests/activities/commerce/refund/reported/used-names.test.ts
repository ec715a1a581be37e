import { execute } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import { orderState, PRICE_MINOR } from '../../../../support/builders/ordering';
import { refundByShop } from '../../../../support/builders/refunding';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { effectOf, refundReports } from './refund-reports';

/** Names of a provider's refunds that stand for one refund, or for none any more: they are taken for no other. */
const own = ownDatabase();
const { at, bookedOn, differences, hears, sentRefund, settle, settledAs, steps, unsent } = refundReports(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

test('the name of a refund that its provider could not deliver settles nothing', async () => {
  const { order, refundId, as } = await sentRefund();
  await hears('refund.failed', order.orderId, { refundId, as });
  const refused = {
    type: 'VALIDATION_ERROR',
    message: expect.stringContaining('could not deliver') as string,
  };
  await expect(settle(refundId, as)).rejects.toMatchObject(refused);
  expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION ABANDONED'] });
  // Reported as sent before, so that a difference is open.
  const other = await unsent();
  await hears('refund.completed', other.orderId, { as: 're_29' });
  await hears('refund.failed', other.orderId, { as: 're_29' });
  await expect(settle(other.refundId, 're_29')).rejects.toMatchObject(refused);
  expect(await bookedOn('clearing_sandbox', other.refundId)).toEqual([]);
  await execute(own.db, `DELETE FROM reconciliation_differences WHERE provider_id = 're_29'`);
});

test('where that is not recorded any more, no booking under the same name is left out in silence', async () => {
  const { order, refundId, as } = await sentRefund();
  const report = { refundId, as };
  const failsAgain = async () => {
    await hears('refund.failed', order.orderId, report);
    await execute(own.db, 'DELETE FROM failed_refunds WHERE provider_refund_id = $1', [as]);
  };
  await failsAgain();
  await hears('refund.completed', order.orderId, report);
  await expect(failsAgain()).rejects.toThrow('is booked already');
  expect(await orderState(own.db, order)).toMatchObject({ refunds: ['CANCELLATION COMPLETED'] });
  const other = await settledAs('re_30');
  await hears('refund.failed', other.orderId, { as: 're_30' });
  await execute(own.db, `DELETE FROM failed_refunds WHERE provider_refund_id = 're_30'`);
  await settle(other.refundId, 're_30');
  await expect(hears('refund.completed', other.orderId, { as: 're_30' })).rejects.toThrow(
    'is booked already',
  );
  expect(await bookedOn('clearing_bank', other.refundId)).toEqual([PRICE_MINOR, -PRICE_MINOR, PRICE_MINOR]);
});

test('a refund of another payment, by whose name one of ours is completed, is booked for no second one', async () => {
  const { refundId } = await settledAs('re_31');
  const sent = await sentRefund();
  for (const [as, by] of [
    ['re_31', refundId],
    [sent.as, sent.refundId],
  ] as const) {
    const order = await given(own.db).order().paid();
    expect(effectOf(await hears('refund.completed', order.orderId, { as }))).toMatchObject({
      outcome: 'APPLIED',
      toDecide: expect.stringContaining(`Refund ${by} is completed by that name`) as string,
    });
    expect(await orderState(own.db, order)).toMatchObject({ refunds: [] });
    expect(await differences(as)).toEqual([expect.objectContaining({ isOpen: true })]);
    await execute(own.db, 'DELETE FROM reconciliation_differences WHERE provider_id = $1', [as]);
  }
});

test('a name by which one of ours is settled, and another of the same payment completed since, is booked once', async () => {
  const order = await given(own.db).order().paid();
  const amountMinor = PRICE_MINOR / 2;
  const half = async () => (await refundByShop(own.db, order, { amountMinor })).refundsDue[0]!.refundId;
  const [settled, answered] = [await half(), await half()];
  await steps().abandonRefund({ refundId: settled, at: at() });
  await settle(settled, 're_32');
  await steps().completeRefund({ refundId: answered, providerRefundId: 're_32', at: at() });
  expect(
    effectOf(await hears('refund.completed', order.orderId, { as: 're_32', amountMinor })),
  ).toMatchObject({
    toDecide: expect.stringContaining(`has sent refund ${answered} as re_32`) as string,
  });
  expect(await bookedOn('clearing_bank', settled)).toEqual([amountMinor]);
  expect(await bookedOn('clearing_sandbox', settled)).toEqual([]);
  expect(await bookedOn('clearing_sandbox', answered)).toEqual([amountMinor]);
});
