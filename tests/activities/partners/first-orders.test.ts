import { policyFrom } from '../../../db/policy/config';
import { firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { convertedVisitor } from '../../support/builders/make/partners/visitors';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const LINES = [{ goodsMinor: 1_000_00, commissionBp: 1_000 }];

/** The types of the sponsor's commissions of an order. */
const typesOf = async ({ id }: { id: string }): Promise<number[]> => {
  const found = await rows<{ type: number }>(
    own.db,
    'SELECT type FROM partner_commissions WHERE source_id = $1 AND reversal_of IS NULL',
    [id],
  );
  return found.map(({ type }) => type);
};

test('the order that was paid first is the first, whichever is counted first, also once it is refunded', async () => {
  const [buyerId] = await people(own.db, [(await make.partner(own.db)).id]);
  const sell = () => soldOrder(own.db, { buyerId: buyerId!, lines: LINES });
  const [first, second] = [await sell(), await sell()];
  for (const { id } of [second, first]) {
    const event = await firstRow<{ id: string; isFirst: boolean }>(
      own.db,
      `SELECT id, (data ->> 'isFirst')::boolean AS is_first FROM domain_events WHERE reference = 'order.paid:' || $1`,
      [id],
    );
    expect(event!.isFirst).toBe(id === first.id);
    expect(await takeEvent(own.db, policyFrom({}), event!.id)).toBe(true);
  }
  await soldOrderRefund(own.db, { order: first, buyerId: buyerId!, goodsMinor: 1_000_00 });
  const third = await sell();
  await takeAllEvents(own.db);
  expect(await Promise.all([first, second, third].map(typesOf))).toEqual([[1], [3], [3]]);
});

test('the first order converts the visitor of a link, and an investment before it does not', async () => {
  const partner = await make.partner(own.db);
  const [userId] = await people(own.db, [partner.id]);
  const touchId = await convertedVisitor(own.db, partner.referralCode, userId!);
  const converted = async () =>
    (await firstRow<{ at: Date | null }>(
      own.db,
      'SELECT first_sale_at AS at FROM referral_touches WHERE id = $1',
      [touchId],
    ))!.at;
  await make.participation(own.db, { userId: userId!, amountMinor: 1_000_00, status: 'MATURED' });
  await takeAllEvents(own.db);
  expect(await converted()).toBeNull();
  const paidAt = new Date('2026-03-02T10:00:00Z');
  await soldOrder(own.db, { buyerId: userId!, lines: LINES, paidAt });
  await takeAllEvents(own.db);
  expect(await converted()).toEqual(paidAt);
});
