import { QueryTypes } from 'sequelize';
import { v7 } from 'uuid';
import { heldCommissions } from '../../../db/partners/commission/held-commissions.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { pendingCommission, queueEvents } from '../../support/builders/make/partners/partner-sales';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const HOUR_MS = 3_600_000;
const since = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

const figures = () => inTransaction(own.db, heldCommissions);
const held = async () =>
  Object.fromEntries((await figures()).map(({ hold, commissions }) => [hold, commissions]));

test('commissions that have been due for more than a day and are PENDING are counted by what holds them', async () => {
  const partner = await make.partner(own.db);
  const suspended = await make.partner(own.db, { status: 'SUSPENDED' });
  const refundedOrder = v7();
  for (const hours of [23, 25, 26, -1]) await pendingCommission(own.db, { partner, maturesAt: since(hours) });
  await pendingCommission(own.db, { partner, maturesAt: since(50), status: 'HELD' });
  await pendingCommission(own.db, { partner, maturesAt: since(27), sourceId: refundedOrder });
  for (const hours of [23, 30, 31, 32])
    await pendingCommission(own.db, { partner: suspended, maturesAt: since(hours) });
  await execute(
    own.owner,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES ($1, 'refund.completed', 'refund.completed:' || $1::uuid, $2, '{}', now())`,
    [v7(), refundedOrder],
  );
  await queueEvents(own.db, 'entity_id = $1', [refundedOrder]);
  const none = { CHARGEBACK: 0, EARLY_WITHDRAWAL: 0, POINTS_LOST: 0 };
  expect(await held()).toEqual({ ...none, REFUND: 1, none: 5 });
});

describe('among many rows', () => {
  /** The plan of the statement of the figures that has this text. */
  async function planOf(part: string): Promise<string> {
    const sent = jest.spyOn(own.db.sequelize, 'query');
    await figures();
    const [text, options] = sent.mock.calls.find(([statement]) => (statement as string).includes(part))!;
    sent.mockRestore();
    const plan = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text as string}`, {
      ...{ type: QueryTypes.SELECT, bind: (options as { bind?: unknown[] }).bind ?? [] },
    });
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  }

  test('due commissions are read by the index of those that are PENDING, and 10,000 at most', async () => {
    const partner = await make.partner(own.db);
    const id = await pendingCommission(own.db, { partner, maturesAt: since(51) });
    await own.owner.sequelize.query(
      `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
       SELECT gen_random_uuid(), partner_id, type, source_type, gen_random_uuid(), level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, CASE n % 2 WHEN 0 THEN 'PENDING' ELSE 'APPROVED' END,
         matures_at - n * interval '1 minute', created_at
         FROM partner_commissions, generate_series(1, 30000) AS n WHERE id = '${id}'`,
    );
    await vacuum(own.owner, 'partner_commissions');
    const counts = await held();
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(await planOf('AS commissions')).toMatch(/Index Scan Backward using partner_commissions_due_idx/);
  });
});
