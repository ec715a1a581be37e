import { QueryTypes } from 'sequelize';
import { salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { execute } from '../../../db/sql/query';
import { soldEvent } from '../../support/builders/make/partners/partner-sales';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const EVENTS = 50_000;
const NOW = new Date('2026-06-01T00:00:00Z');

/**
 * Of the years before, events that nobody takes, sales that were given up, and profits that wait; of the time after, sales that wait, as
 * of an outage.
 */
beforeAll(async () => {
  await execute(
    own.owner,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), (ARRAY['kyc.submitted', 'order.paid', 'profit.distributed', 'order.paid'])[n % 4 + 1], 'made:' || n,
       gen_random_uuid(), '{}',
       timestamptz '2026-06-01' + CASE WHEN n % 4 = 3 THEN 1 ELSE -1 END * n * interval '1 minute'
     FROM generate_series(1, ${EVENTS}) AS n
     RETURNING position, entity_id, type, occurred_at, right(reference, -5)::int AS n)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at, state)
     SELECT 'commissions', position, entity_id, type, occurred_at, CASE WHEN n % 4 = 1 THEN 'DEAD' ELSE 'DUE' END FROM announced
      WHERE n % 4 <> 0`,
  );
  await vacuum(own.owner, 'domain_events', 'event_deliveries');
});

/** The plan of the statement that `read` sends, executed. */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  const [[text, { bind }]] = sent.mock.calls as unknown as [[string, { bind: unknown[] }]];
  sent.mockRestore();
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, {
    ...{ bind, type: QueryTypes.SELECT },
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

test('whether a sale is uncounted is read from the oldest that waits, whatever else waits', async () => {
  for (const isUncounted of [false, true]) {
    if (isUncounted) await soldEvent(own.db, { at: new Date('2026-05-31T00:00:00Z') });
    expect(await salesUncounted(own.db, NOW)).toBe(isUncounted);
    const plan = await planOf(() => salesUncounted(own.db, NOW));
    expect(plan).toMatch(/using event_deliveries_waiting_idx/);
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter: \d{2}|domain_events/);
    // Some pages for each type of event, of the hundreds that the waiting ones have.
    expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(40);
  }
  expect(await salesUncounted(own.db, new Date('2026-05-30T00:00:00Z'))).toBe(false);
});
