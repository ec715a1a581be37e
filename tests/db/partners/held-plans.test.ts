import { QueryTypes } from 'sequelize';
import { v7 } from 'uuid';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { explainedCommission } from '../../../db/partners/commission-list/commission-explanation.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { pendingCommission } from '../../support/builders/make/partners/partner-sales';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const ROWS = 20_000;
let me: { id: string; userId: string };

/** Refunds that nobody has counted yet, and commissions of one partner, of which none but the first is adjusted. */
beforeAll(async () => {
  me = await make.partner(own.db);
  await execute(
    own.db,
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), 'refund.completed', 'made:' || n, gen_random_uuid(), '{}', now()
     FROM generate_series(1, ${ROWS}) AS n RETURNING position, entity_id, type, occurred_at)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at) SELECT 'commissions', position, entity_id, type, occurred_at FROM announced`,
  );
  await execute(
    own.owner,
    `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
       base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at,
       adjustments, adjusted_by, adjusted_at, adjustment_reason)
     SELECT gen_random_uuid(), $1, 1, 'ORDER', gen_random_uuid(), 1, 1, 1, 100, 1000000, 5000, 50, 50, 'USD', 'PENDING',
       now(), now(), (n = 1)::int, CASE n WHEN 1 THEN $2::uuid END, CASE n WHEN 1 THEN now() END,
       CASE n WHEN 1 THEN 'Ada lied' END
     FROM generate_series(1, ${ROWS}) AS n`,
    [me.id, me.userId],
  );
  await vacuum(own.owner, 'domain_events', 'event_deliveries', 'partner_commissions');
});

/** The plan of the one statement with this text that some work sends, which is not executed again. */
async function planOf(part: string, work: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await work();
  const calls = (sent.mock.calls as unknown as [string, { bind: unknown[] }][]).filter(([text]) =>
    text.includes(part),
  );
  sent.mockRestore();
  expect(calls).toHaveLength(1);
  const [[text, { bind }]] = calls as [[string, { bind: unknown[] }]];
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
    ...{ bind, type: QueryTypes.SELECT },
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

test('an order is held back by its own uncounted refunds, however many others wait', async () => {
  const order = v7();
  const id = await pendingCommission(own.db, { partner: me, maturesAt: new Date(), sourceId: order });
  const plan = await planOf('held_by', () => explainedCommission(own.db, id));
  expect(plan).toMatch(/using event_deliveries_entity_idx/);
  expect(plan).not.toMatch(/Seq Scan on (domain_events|event_deliveries)/);
});

test('the erasure of a partner with many commissions looks at the adjusted ones alone', async () => {
  const plan = await planOf('SET adjustment_reason', () =>
    inTransaction(own.db, (tx) => eraseAccount(tx, me.userId, new Date())),
  );
  expect(plan).toMatch(/partner_commissions_adjusted_idx/);
  expect(plan).not.toMatch(/Seq Scan on partner_commissions|partner_commissions_partner_idx/);
});
