import { QueryTypes } from 'sequelize';
import { reviveDelivery } from '../../../../db/administration/domain-event/event-delivery.writes';
import { lockNext } from '../../../../db/administration/domain-event/event-delivery.transitions';
import { rowsAmong, withoutRow } from '../../../../db/invariants/driven/driven-row.reads';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { drivenRows } from '../../../../workers/checks/driven';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const EVENTS = 20_000;

/** Many parked and given-up events after an outage, and a few that are due. */
beforeAll(async () => {
  await execute(
    own.owner,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
       SELECT gen_random_uuid(), 'order.paid', 'made:' || n, gen_random_uuid(), '{}', now()
         FROM generate_series(1, ${EVENTS}) AS n RETURNING position, entity_id, type, occurred_at, right(reference, -5)::int AS n)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at, state, attempts, due_at)
     SELECT 'commissions', position, entity_id, type, occurred_at, CASE WHEN n % 2 = 0 THEN 'PARKED' ELSE 'DEAD' END, 5, now() - interval '2 hours'
       FROM announced WHERE n <= ${EVENTS} - 10
     UNION ALL SELECT 'commissions', position, entity_id, type, occurred_at, 'DUE', 0, now() FROM announced WHERE n > ${EVENTS} - 10`,
  );
  await vacuum(own.owner, 'domain_events', 'event_deliveries');
});

/** The plans of the statements on deliveries that `read` sends. */
async function plansOf(read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  const calls = sent.mock.calls as unknown as [string, { bind?: unknown[] } | undefined][];
  sent.mockRestore();
  let plans = '';
  for (const [text, { bind = [] } = {}] of calls.filter(([sql]) => sql.includes('event_deliveries'))) {
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    plans += lines.map((line) => `${line['QUERY PLAN']}\n`).join('');
  }
  expect(plans).not.toBe('');
  return plans;
}

const delivery = { consumer: 'commissions', position: 1 } as const;

test.each(['first', 'last'] as const)(
  'the %s that is due is found among those that are parked',
  async (end) => {
    const plans = await plansOf(() => inTransaction(own.db, (tx) => lockNext(tx, 'commissions', end)));
    expect(plans).toMatch(/event_deliveries_due_idx/);
    expect(plans).not.toMatch(/Seq Scan|waiting_idx/);
  },
);

test('one that is made due again finds those that were given up with it by its entity', async () => {
  const plans = await plansOf(() => inTransaction(own.db, (tx) => reviveDelivery(tx, delivery)));
  const [, update = ''] = plans.split('Update on event_deliveries');
  expect(update).toMatch(/using event_deliveries_entity_idx/);
  expect(plans).not.toMatch(/Seq Scan/);
});

test('the rows of processes are found by what the processes carry', async () => {
  const among = ['commissions:1', 'commissions:2'];
  const choice = { state: 'open', graceSeconds: 0 } as const;
  const deliveries = drivenRows.find(({ type }) => type === 'eventFailure')!;
  const open = await plansOf(() => rowsAmong(own.db, deliveries, choice, among));
  const missing = await plansOf(() => withoutRow(own.db, deliveries.drives, among));
  for (const plans of [open, missing]) {
    expect(plans).toMatch(/event_deliveries_process_idx/);
    expect(plans).not.toMatch(/Seq Scan/);
  }
});
