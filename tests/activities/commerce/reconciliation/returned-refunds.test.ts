import { execute } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { orderSteps } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { refundReports } from '../refund/reported/refund-reports';
import { BY_BANK, BY_PROVIDER, NOON, statedRefunds } from './stated-refunds';
import { openWith, TheirStatement } from './their-statement';

/** Refunds that were sent on the day that is compared, and that their provider could not deliver. */
const own = ownDatabase();
const { hears, stored } = refundReports(own);
const statement = new TheirStatement('sandbox');
const { bookings, run, saysRefund, saysReturn, settle, unsent } = statedRefunds(own, statement);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Sent under this name, and returned. */
async function returned(as: string) {
  const order = await given(own.db).order().paid().cancelled();
  const { refundId, orderId } = order;
  await orderSteps(own.db).completeRefund({ refundId, providerRefundId: as, at: NOON });
  await hears('refund.failed', orderId, { refundId, as });
  saysRefund(as);
  saysReturn(as);
  return { refundId, orderId };
}

test('that a person made again there, and settled by its name: no difference', async () => {
  const { refundId, orderId } = await returned('re_G');
  await settle(refundId, 're_G2');
  saysRefund('re_G2');
  await hears('refund.completed', orderId, { as: 're_G2' });
  expect(await run()).toBe(0);
  expect(await bookings(refundId)).toEqual({ ...BY_PROVIDER, clearing_bank: 0 });
  // It comes back as well.
  await hears('refund.failed', orderId, { as: 're_G2' });
  saysReturn('re_G2');
  expect(await run()).toBe(0);
  expect(await bookings(refundId)).toEqual({ refunds: 0, clearing_sandbox: 0, clearing_bank: 0 });
});

test('that it sent again itself, and could not deliver either: no difference', async () => {
  const { refundId, orderId } = await returned('re_H');
  const report = { refundId, as: 're_H2' };
  await orderSteps(own.db).applyPaymentEvent({
    webhookEventId: await stored('refund.completed', orderId, report),
    at: NOON,
  });
  saysRefund('re_H2');
  expect(await run()).toBe(0);
  await hears('refund.failed', orderId, report);
  saysReturn('re_H2');
  expect(await run()).toBe(0);
  expect(await bookings(refundId)).toEqual({ refunds: 0, clearing_sandbox: 0 });
});

test('by whose name a person has settled it, before it was reported: its statement does not make it sent', async () => {
  const refundId = await unsent();
  await settle(refundId, 're_I');
  const { orderId } = await given(own.db).order().paid();
  // Of another payment, so that nothing but the statement names the refund.
  await hears('refund.failed', orderId, { as: 're_I' });
  saysRefund('re_I');
  await run();
  expect(await bookings(refundId)).toEqual(BY_BANK);
  expect(await openWith(own.db, 'sandbox')).toEqual([
    expect.objectContaining({ kind: 'MISSING_HERE', providerId: 're_I' }),
  ]);
  await execute(own.db, 'DELETE FROM reconciliation_differences');
});

test('one refund in the statement is booked for one refund of ours', async () => {
  const [refundId, { refundId: other }] = [await unsent(), await given(own.db).order().paid().cancelled()];
  await settle(refundId, 're_J');
  await orderSteps(own.db).completeRefund({ refundId: other, providerRefundId: 're_J', at: NOON });
  saysRefund('re_J');
  await run();
  expect(await bookings(other)).toEqual(BY_PROVIDER);
  expect(await bookings(refundId)).toEqual(BY_BANK);
});
