import { v7 } from 'uuid';
import { rows } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import { make } from '../../../../support/builders/make';
import { noteOf, orderState } from '../../../../support/builders/ordering';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { disputes } from '../../chargeback/charged-back';
import { effectOf, NOTHING, refundReports } from './refund-reports';

/** Reports on one refund of a provider that paid several of ours. */
const own = ownDatabase();
const { at, bookedOn, stored, apply } = refundReports(own);
const { bank, steps, send, lose, bankActs } = disputes(own);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const settle = async (refundId: string, reference: string): Promise<void> => {
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, reference);
  await steps().settleRefund({ refundId, noteId, at: at() });
};

/**
 * A refund of 50.00, of which the provider has sent all in one, while we owed 30.00 and the rest had come by a chargeback. That is
 * returned, and a person has named what was sent as what paid both parts.
 */
async function paidInOne() {
  const order = await given(own.db).order({ provider: bank() }).paid().cancelled();
  const { refundId: whole } = order;
  bank().mood = 'is not reached';
  await expect(send(whole)).rejects.toThrow();
  await lose(order, 2_000);
  bank().mood = 'loses the answer';
  await expect(send(whole)).rejects.toThrow();
  bank().mood = 'answers';
  bank().carriesOut(`${whole}:1`, 5_000);
  const sent = await bank().lookUpRefund({ key: `${whole}:1` });
  const as = sent?.status === 'completed' ? sent.refundId : '';
  await steps().abandonRefund({ refundId: whole, at: at() });
  await settle(whole, as);
  await bankActs(order, 'payment.chargeback_returned', 2_000);
  const [found] = await rows<{ id: string }>(own.db, 'SELECT id FROM payment_refunds WHERE split_from = $1', [
    whole,
  ]);
  const part = found!.id;
  await expect(send(part)).rejects.toThrow('not sent again');
  await steps().abandonRefund({ refundId: part, at: at() });
  await settle(part, as);
  expect(await statesOf(order.orderId)).toEqual(['3000 COMPLETED', '2000 COMPLETED']);
  const report = { refundId: whole, as, amountMinor: 5_000, provider: bank().code };
  return { order, whole, part, as, report };
}

const statesOf = async (orderId: string): Promise<string[]> =>
  (
    await rows<{ state: string }>(
      own.db,
      `SELECT amount_minor || ' ' || status AS state FROM payment_refunds WHERE order_id = $1
       ORDER BY split_from IS NOT NULL`,
      [orderId],
    )
  ).map(({ state }) => state);

const asks = (refundId: string): string => `/admin/payment-refunds/${refundId}/settle`;

test('one that could not be delivered is owed again in all of them, once, and a person is asked for each', async () => {
  const { order, whole, part, report } = await paidInOne();
  const event = await stored('refund.failed', order.orderId, report);
  const words = expect.stringMatching(`30.00 USD .*${asks(whole)}.* 20.00 USD .*${asks(part)}`) as string;
  expect(effectOf(await apply(event))).toEqual({ outcome: 'APPLIED', wakes: [], toDecide: words });
  expect(effectOf(await apply(event))).toEqual({ ...NOTHING, toDecide: words });
  const another = await stored('refund.failed', order.orderId, report);
  expect(effectOf(await apply(another))).toEqual(NOTHING);
  expect(await statesOf(order.orderId)).toEqual(['3000 ABANDONED', '2000 ABANDONED']);
  expect((await orderState(own.db, order)).order).toBe('CANCELLED PAID');
  expect(await bookedOn('clearing_fake-bank', whole)).toEqual([3_000, -3_000]);
  expect(await bookedOn('clearing_fake-bank', part)).toEqual([2_000, -2_000]);
});

test('one of them is settled by hand, and the other still asks for its person', async () => {
  const { order, whole, part, report } = await paidInOne();
  const event = await stored('refund.failed', order.orderId, report);
  await apply(event);
  bank().fails(`${whole}:1`);
  await settle(whole, v7());
  const { toDecide } = effectOf(await apply(event));
  expect(toDecide).toContain(asks(part));
  expect(toDecide).not.toContain(asks(whole));
  expect(await statesOf(order.orderId)).toEqual(['3000 COMPLETED', '2000 ABANDONED']);
  await settle(part, v7());
  expect(effectOf(await apply(event))).toEqual(NOTHING);
  expect((await orderState(own.db, order)).order).toBe('CANCELLED REFUNDED');
});

test('one that fails again after one of ours has been sent otherwise takes back only what it had paid', async () => {
  const { order, whole, part, as, report } = await paidInOne();
  // The same refund is reported under the key of the part too, which the provider never got.
  const ofPart = await stored('refund.failed', order.orderId, { ...report, refundId: part });
  expect(effectOf(await apply(ofPart))).toMatchObject({ outcome: 'APPLIED' });
  bank().fails(`${whole}:1`);
  await settle(part, v7());
  // Another refund of the provider, by our key: one of ours is completed by it, the other was sent by hand.
  const completed = { ...report, as: `${as}-again`, amountMinor: 3_000 };
  expect(effectOf(await apply(await stored('refund.completed', order.orderId, completed)))).toMatchObject({
    ...{ outcome: 'APPLIED', wakes: [whole] },
  });
  expect(await statesOf(order.orderId)).toEqual(['3000 COMPLETED', '2000 COMPLETED']);
  expect(effectOf(await apply(await stored('refund.failed', order.orderId, report)))).toEqual(NOTHING);
  expect(await bookedOn('clearing_fake-bank', whole)).toEqual([3_000, -3_000, 3_000]);
  expect(await bookedOn('clearing_bank', part)).toEqual([2_000]);
});

test('one whose report was applied before wakes all of them again, for a lost answer', async () => {
  const { order, whole, part, report } = await paidInOne();
  const event = await stored('refund.completed', order.orderId, report);
  expect(effectOf(await apply(event))).toEqual(NOTHING);
  expect(effectOf(await apply(event))).toEqual({ ...NOTHING, wakes: [whole, part] });
});
