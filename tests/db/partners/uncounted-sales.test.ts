import { QueryTypes } from 'sequelize';
import { salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { execute } from '../../../db/sql/query';
import { soldEvent } from '../../support/builders/make/partners/partner-sales';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const EVENTS = 50_000;
const NOW = new Date('2026-06-01T00:00:00Z');

/** Events of years that nobody takes, those of verifications among them, and counted sales. */
beforeAll(async () => {
  await execute(
    own.owner,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'kyc.submitted' ELSE 'order.paid' END, 'made:' || n,
       gen_random_uuid(), '{}', timestamptz '2026-01-01' - n * interval '1 minute'
     FROM generate_series(1, ${EVENTS}) AS n RETURNING position, entity_id, right(reference, -5)::int AS n)
     INSERT INTO event_deliveries (consumer, position, entity_id, state)
     SELECT 'commissions', position, entity_id, 'DEAD' FROM announced WHERE n % 4 = 3`,
  );
  await vacuum(own.owner, 'domain_events', 'event_deliveries');
});

test('whether a sale is uncounted is read from the few that are, whatever other events wait', async () => {
  expect(await salesUncounted(own.db, NOW)).toBe(false);
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await soldEvent(own.db, { at: new Date('2026-05-31T00:00:00Z') });
  sent.mockClear();
  expect(await salesUncounted(own.db, NOW)).toBe(true);
  const [[text, { bind }]] = sent.mock.calls as unknown as [[string, { bind: unknown[] }]];
  sent.mockRestore();
  expect(await salesUncounted(own.db, new Date('2026-05-30T00:00:00Z'))).toBe(false);
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
    ...{ bind, type: QueryTypes.SELECT },
  });
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/using event_deliveries_waiting_idx/);
  expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter/);
});
