import { QueryTypes } from 'sequelize';
import { reportsOn } from '../../../db/investment/participation-administration/participation-processes.reads';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const REPORTS = 20_000;
let id = '';

/** One participation with an applied report and one that waits for it, among many reports of others. */
beforeAll(async () => {
  ({ id } = await make.participation(own.db, {
    ...{ status: 'ACTIVE', externalId: 'ours', profits: [{ amountMinor: 100 }] },
  }));
  await execute(
    own.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, waits_for, received_at)
     SELECT gen_random_uuid(), 'INVESTMENT', p.provider_code, 'report-' || n, 'profit.distributed', '{}', '',
       CASE n WHEN 2 THEN 'WAITING' ELSE 'PROCESSED' END, CASE n WHEN 2 THEN 'ours' END, now() - n * interval '1 second'
     FROM participations p, generate_series(1, ${REPORTS}) AS n WHERE p.id = $1`,
    [id],
  );
  await execute(
    own.owner,
    `UPDATE investment_transactions SET webhook_event_id =
       (SELECT id FROM webhook_events WHERE external_event_id = 'report-1') WHERE type = 'PROFIT'`,
  );
  await vacuum(own.owner, 'webhook_events', 'investment_transactions', 'participations');
});

test('the reports of a participation are those that moved it and those that wait for it', async () => {
  const found = await reportsOn(own.db, id, 20);
  const named = await rows<{ externalEventId: string }>(
    own.db,
    `SELECT e.external_event_id FROM unnest($1::uuid[]) WITH ORDINALITY AS found (id, place)
       JOIN webhook_events e USING (id) ORDER BY place`,
    [found.map(({ webhookEventId }) => webhookEventId)],
  );
  expect(named.map(({ externalEventId }) => externalEventId)).toEqual(['report-1', 'report-2']);
});

test('they are read by indexes, however many reports there are', async () => {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await reportsOn(own.db, id, 20);
  const [text, { bind }] = sent.mock.calls[0] as unknown as [string, { bind: unknown[] }];
  sent.mockRestore();
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, {
    ...{ bind, type: QueryTypes.SELECT },
  });
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan on webhook_events/);
  expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
  const all = await firstRow<{ n: number }>(own.db, 'SELECT count(*)::int AS n FROM webhook_events');
  expect(all!.n).toBe(REPORTS);
});
