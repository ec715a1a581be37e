import { QueryTypes } from 'sequelize';
import { v7 } from 'uuid';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { explainedCommission } from '../../../db/partners/commission-list/commission-explanation.reads';
import { giveUpEvent } from '../../../db/partners/event/commission-event.transitions';
import { execute, firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { pendingCommission, soldEvent } from '../../support/builders/make/partners/partner-sales';
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
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), 'refund.completed', 'made:' || n, gen_random_uuid(), '{}', now()
     FROM generate_series(1, ${ROWS}) AS n`,
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
  await vacuum(own.owner, 'domain_events', 'partner_commissions');
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
  expect(plan).toMatch(/using domain_events_refunds_idx/);
  expect(plan).not.toMatch(/Seq Scan on domain_events/);
});

test('a payment that is given up finds the refunds of its order alone', async () => {
  const entityId = v7();
  const id = await soldEvent(own.db, { at: new Date(), entityId });
  const refund = v7();
  await execute(
    own.db,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES ($1::uuid, 'refund.completed', 'refund.completed:' || $1::uuid, $2, '{}', now())`,
    [refund, entityId],
  );
  const plan = await planOf("r.type IN ('refund.completed'", () =>
    inTransaction(own.db, (tx) => giveUpEvent(tx, id)),
  );
  expect(plan).toMatch(/using domain_events_refunds_idx on domain_events r/);
  const given = await firstRow<{ count: number }>(
    own.db,
    'SELECT count(*)::int AS count FROM domain_events WHERE given_up_at IS NOT NULL AND id = ANY($1::uuid[])',
    [[id, refund]],
  );
  expect(given).toEqual({ count: 2 });
});

test('the erasure of a partner with many commissions looks at the adjusted ones alone', async () => {
  const plan = await planOf('SET adjustment_reason', () =>
    inTransaction(own.db, (tx) => eraseAccount(tx, me.userId, new Date())),
  );
  expect(plan).toMatch(/partner_commissions_adjusted_idx/);
  expect(plan).not.toMatch(/Seq Scan on partner_commissions|partner_commissions_partner_idx/);
});
