import { firstRow } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { people } from '../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

test('the next term of a participation is no new money: no sale, no points and no commission', async () => {
  const partnerIds = [(await make.partner(own.db)).id];
  const [buyerId] = await people(own.db, partnerIds);
  await takeAllEvents(own.db);
  const term = { userId: buyerId!, amountMinor: 1_000_00, autoReinvest: true };
  const first = await make.participation(own.db, { ...term, status: 'MATURED', at: new Date('2026-01-05') });
  await takeAllEvents(own.db);
  const standing = async () => ({
    ...(await firstRow<{ points: number; volume: number; earned: number }>(
      own.db,
      `SELECT group_points AS points, group_volume_minor AS volume, earned_minor AS earned FROM partner_standings
       WHERE partner_id = $1`,
      [partnerIds[0]],
    ))!,
  });
  const before = await standing();
  expect(before.volume).toBe(1_000_00);
  const { strategyId } = first;
  const next = { ...term, strategyId, reinvestedFromId: first.id, status: 'ACTIVE' as const };
  const second = await make.participation(own.db, { ...next, profits: [{ amountMinor: 100_00 }] });
  await takeAllEvents(own.db);
  expect(await standing()).toEqual({ ...before, earned: before.earned + 5_00 });
  const event = await firstRow(
    own.db,
    `SELECT d.state, s.id AS sale_id FROM domain_events e LEFT JOIN partner_sales s ON s.event_id = e.id
     LEFT JOIN event_deliveries d ON d.position = e.position
     WHERE e.entity_id = $1 AND e.type = 'investment.created'`,
    [second.id],
  );
  expect(event).toEqual({ state: null, saleId: null });
  const ofSales = (await violations(own.db)).filter((line) => line.startsWith('partner-'));
  expect(ofSales).toEqual([]);
});
