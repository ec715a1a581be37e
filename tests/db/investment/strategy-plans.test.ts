import { QueryTypes } from 'sequelize';
import {
  listAdministeredStrategies,
  strategyFinancials,
} from '../../../db/investment/strategy/administered-strategy-list.reads';
import { shownCategories } from '../../../db/investment/category/shown-category.reads';
import {
  listStrategies,
  type StrategyFilter,
  type StrategyOrder,
} from '../../../db/investment/strategy/shown-strategy-list.reads';
import { strategyDetail } from '../../../db/investment/strategy/shown-strategy.reads';
import { strategyIdOfSlug } from '../../../db/investment/strategy/strategy-slug.reads';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { plansOf as executedPlansOf } from '../../support/checks/plans-of';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const STRATEGIES = 10_000;
let categoryId = '';
let slug = '';
const page = { limit: 20, offset: 40 };

/** Copies of one strategy, spread over categories, rates, durations and popularity. */
beforeAll(async () => {
  const first = await make.strategy(own.db);
  slug = first.slug;
  for (let n = 0; n < 20; n++) categoryId = (await make.strategyCategory(own.db)).id;
  await execute(
    own.db,
    `INSERT INTO investment_strategies
     SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copy-' || n, 'strategy_code',
       'copy-' || n, 'category_id', (ARRAY(SELECT id FROM investment_categories ORDER BY id))[1 + n % 20],
       'return_expected_bp', 600 + n % 401, 'min_days', 1 + n % 300, 'total_invested_minor', n * 7 % 5000,
       'status', (ARRAY['ACTIVE', 'ACTIVE', 'PAUSED', 'CLOSED'])[1 + n % 4],
       'created_at', now() - n * interval '1 minute'))).*
     FROM investment_strategies s, generate_series(1, ${STRATEGIES}) n WHERE s.id = $1`,
    [first.id],
  );
  await vacuum(own.owner, 'investment_strategies', 'investment_categories');
  const found = await firstRow<{ n: number }>(own.db, 'SELECT count(*)::int AS n FROM investment_strategies');
  expect(found!.n).toBe(STRATEGIES + 1);
});

/** The plans of all statements that `read` sends. */
async function plansOf(read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  const statements = sent.mock.calls as unknown as [string, { bind: unknown[] }][];
  sent.mockRestore();
  const plans: string[] = [];
  for (const [text, { bind }] of statements) {
    const options = { bind, type: QueryTypes.SELECT } as const;
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, options);
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  return plans.join('\n');
}

test.each([
  ['createdAt', 'investment_strategies_created_idx'],
  ['returnRate', 'investment_strategies_return_idx'],
  ['duration', 'investment_strategies_duration_idx'],
] as const)('sorted by %s in both directions: the page is read from its index', async (by, index) => {
  for (const direction of ['asc', 'desc'] as const) {
    const plan = await plansOf(() => listStrategies(own.db, {}, { by, direction }, page));
    expect(plan).toMatch(new RegExp(`CTE page[^]*Limit[^]*Index Scan.* using ${index}`));
    expect(plan).not.toMatch(/Sort Key: s_1/);
  }
});

test('one strategy, by id and by slug: no plan reads all of them', async () => {
  const id = await strategyIdOfSlug(own.db, slug);
  for (const read of [() => strategyIdOfSlug(own.db, slug), () => strategyDetail(own.db, id!)])
    expect(await plansOf(read)).not.toMatch(/Seq Scan on investment_(strategies|strategy_documents)/);
});

test('the newest for administrators: the page is read from the index', async () => {
  const plan = await plansOf(() => listAdministeredStrategies(own.db, {}, page));
  expect(plan).toMatch(/Index Scan Backward using investment_strategies_created_idx/);
});

/** Repeats a participation sixty times in each of fifty strategies. */
async function repeated(participationId: string): Promise<void> {
  await execute(
    own.db,
    `INSERT INTO participations SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
         'number', p.number || '-' || s.n, 'strategy_id', s.id))).*
       FROM participations p, (SELECT id, row_number() OVER () AS n
         FROM (SELECT id FROM investment_strategies ORDER BY created_at DESC, id DESC LIMIT 50) newest,
           generate_series(1, 60)) s
      WHERE p.id = $1`,
    [participationId],
  );
  await vacuum(own.owner, 'participations');
}

test('the financials for administrators are added up from the index, without reading participations', async () => {
  const id = (await strategyIdOfSlug(own.db, slug))!;
  const { id: participationId } = await make.participation(own.db, {
    ...{ strategyId: id, status: 'ACTIVE', origin: 'PROVIDER', profits: [{ amountMinor: 7 }] },
  });
  await repeated(participationId);
  for (const read of [
    () => listAdministeredStrategies(own.db, {}, { limit: 50, offset: 0 }),
    () => strategyFinancials(own.db, id),
  ]) {
    const plan = await plansOf(read);
    expect(plan).toMatch(/Index Only Scan using participations_strategy_idx on participations p/);
    expect(plan).not.toMatch(/(Seq|Heap) Scan on participations/);
  }
});

test('the debt of a provider, which each payment of it is compared with, is added up from the index', async () => {
  const strategyId = (await strategyIdOfSlug(own.db, slug))!;
  const { id: ofAnother } = await make.participation(own.db, {
    ...{ strategyId, status: 'ACTIVE', origin: 'PROVIDER' },
  });
  // One of few among many, so that the plan does not depend on how much of the table is known to be visible.
  const { id } = await make.participation(own.db, {
    ...{ strategyId: (await make.strategy(own.db)).id, status: 'ACTIVE', origin: 'PROVIDER' },
  });
  await repeated(ofAnother);
  const of = await firstRow<{ code: string }>(
    own.db,
    'SELECT provider_code AS code FROM participations WHERE id = $1',
    [id],
  );
  const plan = await plansOf(() =>
    rows(
      own.db,
      `SELECT owed_minor FROM investment_provider_debts_now WHERE provider_code = $1 AND currency = 'USD'`,
      [of!.code],
    ),
  );
  expect(plan).toMatch(/Index Only Scan using participations_provider_running_idx on participations/);
  expect(plan).not.toMatch(/(Seq|Heap) Scan on participations/);
});

/** The rows that the steps of all plans of `read` pass on or remove. */
async function rowsReadBy(read: () => Promise<unknown>): Promise<number> {
  const plan = (await executedPlansOf(own.db, read)).join('\n');
  const passedOn = [...plan.matchAll(/actual time=\S+ rows=([\d.]+) loops=(\d+)/g)];
  expect(passedOn).not.toEqual([]);
  const removed = [...plan.matchAll(/Rows Removed by [A-Za-z ]+: (\d+)/g)];
  return (
    passedOn.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0) +
    removed.reduce((sum, [, rows]) => sum + Number(rows), 0)
  );
}

const newest: StrategyOrder = { by: 'createdAt', direction: 'desc' };
const cases: Record<string, [() => StrategyFilter, StrategyOrder]> = {
  'the newest': [() => ({}), newest],
  'the most popular': [() => ({}), { by: 'popularity', direction: 'desc' }],
  'a category': [() => ({ categoryId }), newest],
  'amounts, a rate and a status': [
    () => ({ minMinor: 100_00, maxMinor: 500_00, minReturnBp: 900, status: 'ACTIVE' }),
    { by: 'returnRate', direction: 'desc' },
  ],
};

test.each(Object.entries(cases))(
  'no step of a plan reads %s of 10,000 twice',
  async (_name, [filter, order]) => {
    const read = await rowsReadBy(() => listStrategies(own.db, filter(), order, page));
    expect(read).toBeLessThan(4 * STRATEGIES);
  },
);

test('no step of a plan reads the 10,000 twice for the categories', async () => {
  expect(await rowsReadBy(() => shownCategories(own.db))).toBeLessThan(4 * STRATEGIES);
});
