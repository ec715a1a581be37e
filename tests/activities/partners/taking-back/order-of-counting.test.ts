import { policyFrom } from '../../../../db/policy/config';
import { firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { takeAllEvents, takeEvent } from '../../../support/checks/take-events';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

/** Counts two refunds of an order in this order; answers what is left of the sponsor's commission and its sale. */
async function counted(order: readonly [number, number]) {
  const partner = await make.partner(own.db);
  const [buyerId] = await people(own.db, [partner.id]);
  const lines = [
    { goodsMinor: 1, commissionBp: 10_000 },
    { goodsMinor: 2, commissionBp: 0 },
  ];
  const sold = await soldOrder(own.db, { buyerId: buyerId!, lines });
  await takeAllEvents(own.db);
  const refunds = [{ goodsMinor: 1 }, { goodsMinor: 1, parts: [{ line: 1, goodsMinor: 1 }] }];
  const events: string[] = [];
  for (const [minutes, refund] of refunds.entries()) {
    const at = new Date(Date.now() + minutes * 60_000);
    const id = await soldOrderRefund(own.db, { order: sold, buyerId: buyerId!, ...refund, at });
    const event = await firstRow<{ id: string }>(
      own.db,
      'SELECT id FROM domain_events WHERE reference = $1',
      [`refund.completed:${id}`],
    );
    events.push(event!.id);
  }
  for (const at of order) expect(await takeEvent(own.db, policyFrom({}), events[at]!)).toBe(true);
  return firstRow(
    own.db,
    `SELECT (SELECT sum(net_minor)::int FROM partner_commissions WHERE partner_id = $1 AND status <> 'REVERSED') AS earned,
       (SELECT sum(commission_weight)::int FROM partner_sales WHERE source_id = $2) AS weight`,
    [partner.id, sold.id],
  );
}

test('the cents that a division of a refund leaves are of the same lines, whichever refund is counted first', async () => {
  expect(await counted([1, 0])).toEqual(await counted([0, 1]));
});
