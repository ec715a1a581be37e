import { businessFigures } from '../../../../db/administration/operations/business-figures.reads';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { given } from '../../../support/builders/given';
import { orderSteps, storedReport } from '../../../support/builders/ordering';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

/** The counts of the last hour and of the last day. */
async function figures() {
  return { hour: await businessFigures(own.db, 'hour'), day: await businessFigures(own.db, 'day') };
}

const nothing = {
  placed: 0,
  paid: 0,
  placedOnline: 0,
  paidOnline: 0,
  declined: 0,
  registered: 0,
  refundsRequested: 0,
};
const noRefunds = [{ currency: 'USD', refunds: 0, amountMinor: 0 }];

test('nothing yet: every figure is there and is 0', async () => {
  expect(await figures()).toEqual({
    hour: { window: 'hour', ...nothing, refundsCompleted: noRefunds },
    day: { window: 'day', ...nothing, refundsCompleted: noRefunds },
  });
});

test('orders, payments, declines, accounts and refunds are counted where they happened', async () => {
  await given(own.db).order();
  const declined = await given(own.db).order();
  const { webhookEventId } = await storedReport(own.db, 'DECLINED', declined);
  await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  const back = await given(own.db).order().paid().cancelled();
  await given(own.db).order({ discountBp: 0 }).paid().shipped().delivered().refundRequested();
  await execute(
    own.db,
    `UPDATE payment_refunds SET status = 'COMPLETED', provider_refund_id = 're_1', completed_at = now() - interval '2 hours' WHERE id = $1`,
    [back.refundId],
  );
  const { hour, day } = await figures();
  expect(hour).toMatchObject({ placed: 4, paid: 2, declined: 1, refundsRequested: 1 });
  expect(hour.registered).toBeGreaterThanOrEqual(4);
  expect(hour.refundsCompleted).toEqual(noRefunds);
  expect(day.refundsCompleted).toEqual([{ currency: 'USD', refunds: 1, amountMinor: expect.any(Number) }]);
  expect(day.refundsCompleted[0]?.amountMinor).toBeGreaterThan(0);
});

test('an attempt that was declined and is paid after all is no decline; older business leaves the windows', async () => {
  const order = await given(own.db).order();
  const apply = async (outcome: 'DECLINED' | 'PAID') => {
    const { webhookEventId } = await storedReport(own.db, outcome, order);
    await orderSteps(own.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  };
  const before = (await figures()).hour.declined;
  await apply('DECLINED');
  expect((await figures()).hour.declined).toBe(before + 1);
  await apply('PAID');
  expect((await figures()).hour.declined).toBe(before);
  const placed = (await figures()).hour.placed;
  await execute(own.db, `UPDATE orders SET created_at = now() - interval '2 hours' WHERE id = $1`, [
    order.orderId,
  ]);
  const { hour, day } = await figures();
  expect([hour.placed, day.placed]).toEqual([placed - 1, placed]);
});

test('a database that does not answer costs two seconds, not the thirty of any statement', async () => {
  const begun = performance.now();
  await inTransaction(own.db, async (tx) => {
    await execute(tx, 'LOCK TABLE refund_requests IN ACCESS EXCLUSIVE MODE');
    await expect(businessFigures(own.db, 'day')).rejects.toThrow('statement timeout');
  });
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('bank transfers are counted among all orders, not among those by card or e-wallet', async () => {
  const figuresNow = async () => {
    const { hour } = await figures();
    return [hour.placed, hour.placedOnline, hour.paid, hour.paidOnline];
  };
  const before = await figuresNow();
  await given(own.db).order().paid();
  const transferred = await given(own.db).order().paid();
  await execute(own.db, `UPDATE orders SET payment_method = 'BANK_TRANSFER' WHERE id = $1`, [
    transferred.orderId,
  ]);
  expect(await figuresNow()).toEqual([2, 1, 2, 1].map((more, i) => before[i]! + more));
});
