import { QueryTypes } from 'sequelize';
import {
  commissionTotals,
  listedCommissions,
} from '../../../db/partners/commission-list/commission-list.reads';
import { earnedPeriods } from '../../../db/partners/earnings/earnings.reads';
import { statementSums } from '../../../db/partners/earnings/statement.reads';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
/** With a higher number in COMMISSIONS, the time of every statement is printed. */
const COMMISSIONS = Number(process.env['COMMISSIONS'] ?? 20_000);
const OWN = COMMISSIONS / 4;
let me: { id: string; userId: string };

/** Commissions of a partner with their transfers; every thousandth is of a rank. */
async function earned(partner: { id: string; userId: string }, count: number): Promise<void> {
  await execute(
    own.owner,
    `WITH made AS (
       SELECT gen_random_uuid() AS id, n, now() - n * interval '1 second' AS at FROM generate_series(1, ${count}) AS n
     ), kept AS (
       INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
       SELECT id, $1::uuid, CASE n % 1000 WHEN 0 THEN 8 ELSE 1 END, CASE n % 1000 WHEN 0 THEN 'RANK_BONUS' ELSE 'ORDER' END,
         gen_random_uuid(), 1, 1, 1, 100, 1000000, 5000, 50, 50, 'USD', 'PENDING', at + interval '30 days', at FROM made
     ), transfers AS (
       INSERT INTO ledger_transfers (id, kind, subject_id, created_at) SELECT id, 'commission', id, at FROM made
     ), entries AS (
       INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT id, 'commission_expense', NULL::uuid, 'USD', -50, at FROM made
       UNION ALL SELECT id, 'partner_pending', $2::uuid, 'USD', 50, at FROM made
     ) SELECT 1`,
    [partner.id, partner.userId],
  );
}

beforeAll(async () => {
  me = await make.partner(own.db);
  await earned(me, OWN);
  await earned(await make.partner(own.db), COMMISSIONS - OWN);
  await vacuum(own.owner, 'partner_commissions', 'ledger_transfers', 'ledger_entries');
}, 600_000);

/** The plans of the statements of a read. */
async function plansOf(name: string, read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  const calls = [...(sent.mock.calls as unknown as [string, { bind: unknown[] }][])];
  sent.mockRestore();
  const plans: string[] = [];
  for (const [text, { bind }] of calls) {
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  expect(plans).not.toEqual([]);
  if (COMMISSIONS > 20_000) {
    const times = plans.map((plan) => /Execution Time: (.*) ms/.exec(plan)![1]);
    process.stderr.write(`${name}: ${times.join(' + ')} ms\n`);
  }
  return plans.join('\n');
}

const month = () => ({ period: '', from: new Date(Date.now() - 86_400_000), to: new Date() });

const allMonths = () =>
  earnedPeriods(own.db, { userId: me.userId, currency: 'USD' }, { granularity: 'month', from: new Date(0) });

test.each([
  ['history', () => allMonths()],
  ['statement', () => statementSums(own.db, { userId: me.userId, currency: 'USD' }, month())],
])('%s of a partner with many commissions reads their entries and transfers alone', async (name, read) => {
  const plan = await plansOf(name, read);
  expect(plan).toMatch(/ledger_entries_(partner|account|user)_idx/);
  expect(plan).toContain('ledger_transfers_pkey');
  expect(plan).not.toMatch(/Seq Scan on ledger_/);
});

test('the history of many commissions adds up', async () => {
  const months = await allMonths();
  expect(months.reduce((sum, { earnedMinor }) => sum + earnedMinor, 0)).toBe(OWN * 50);
});

test('commissions of a rare source are found without those of the others', async () => {
  const filter = { sourceType: 'RANK_BONUS' } as const;
  const page = { sortBy: 'createdAt', sortOrder: 'desc', limit: 20, offset: 0 } as const;
  expect(await listedCommissions(own.db, filter, page)).toHaveLength(20);
  const plan = [
    await plansOf('page', () => listedCommissions(own.db, filter, page)),
    await plansOf('totals', () => commissionTotals(own.db, filter)),
  ].join('\n');
  expect(plan.match(/partner_commissions_source_idx/g)?.length).toBeGreaterThanOrEqual(2);
  expect(plan).not.toMatch(/Seq Scan on partner_commissions/);
});
