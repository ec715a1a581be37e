import { QueryTypes } from 'sequelize';
import {
  listedPartners,
  type PartnerFilter,
  type PartnerSort,
} from '../../../db/partners/network/partner-list.reads';
import { partnerDetail, recentCommissions } from '../../../db/partners/network/partner-detail.reads';
import { earnsBy } from '../../../db/partners/membership/own-partner.reads';
import {
  networkFigures,
  networkLevels,
  networkPage,
  networkSize,
} from '../../../db/partners/network/network.reads';
import { poolShares } from '../../../db/partners/pool/pool-share.reads';
import { lockRanksAbove, setRank } from '../../../db/partners/rank/rank.writes';
import { MOST_COUNTED, rowsOfPage } from '../../../db/partners/most-counted';
import { execute, firstRow, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { people, soldOrder } from '../../support/builders/partnering/sold-orders';
import { plansOf as plansOfRead } from '../../support/checks/plans-of';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

/**
 * With a higher number in PARTNERS, the time of every statement is printed. The first has a tenth of all below, in six levels; every
 * hundredth partner is terminated and every tenth has the second rank.
 */
const PARTNERS = Number(process.env['PARTNERS'] ?? 20_000);
const BELOW = PARTNERS / 10;
const own = ownDatabase();
let head = { id: '', number: 0 };

const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Sponsor of partner n: within the first's network a tree of ten below each, elsewhere one of three. */
const SPONSOR = `CASE WHEN n = 1 THEN NULL WHEN n <= ${BELOW} THEN ${id('(n + 8) / 10')}
  WHEN n = ${BELOW} + 1 THEN NULL ELSE ${id(`${BELOW} + 1 + (n - ${BELOW} - 2) / 3`)} END`;

/** Without the limit of our programs; VACUUM marks no page as visible to all of which the commit is not on disk. */
const unhurried = (text: string) =>
  inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL statement_timeout = 0');
    await execute(tx, 'SET LOCAL synchronous_commit = on');
    await execute(tx, text);
  });

beforeAll(async () => {
  await unhurried(
    `INSERT INTO users (id, region, email, password_hash, first_name, last_name, status, created_at, updated_at)
     SELECT ${id('n')}, 'EU', 'p' || n || '@example.com', '', 'Name' || n % 5000, 'Family' || n, 'ACTIVE', now(), now()
       FROM generate_series(1, ${PARTNERS}) AS n`,
  );
  for (let from = 1; from <= PARTNERS; from += 100_000)
    await unhurried(
      `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
       SELECT ${id('n')}, ${id('n')}, 'P' || lpad(n::text, 9, '0'), CASE n % 100 WHEN 0 THEN 'TERMINATED' ELSE 'ACTIVE' END,
              ${SPONSOR}, timestamptz '2026-01-01' + n * interval '1 second', now()
         FROM generate_series(${from}, ${Math.min(from + 99_999, PARTNERS)}) AS n ORDER BY n`,
    );
  await unhurried(
    `INSERT INTO partner_levels (partner_id, level, partners, volume_minor)
     SELECT a.id, d.level, count(*), 0 FROM partner_descendants d JOIN partners a ON a.number = d.ancestor_number GROUP BY 1, 2`,
  );
  await unhurried(
    `UPDATE partner_standings s SET network_size = coalesce(l.size, 0), earned_minor = p.number * 7919 % 1000003,
            rank_level = CASE p.number % 10 WHEN 0 THEN 2 ELSE 1 END, highest_rank_level = 2, network_rank_level = 2
       FROM partners p LEFT JOIN (SELECT partner_id, sum(partners) AS size FROM partner_levels GROUP BY 1) l
         ON l.partner_id = p.id WHERE s.partner_id = p.id`,
  );
  await vacuum(own.owner, 'users', 'partners', 'partner_descendants', 'partner_standings', 'partner_levels');
  head = (await firstRow<{ id: string; number: number }>(
    own.db,
    `SELECT id, number FROM partners WHERE referral_code = 'P000000001'`,
  ))!;
}, 900_000);

/** The plans of a read; prints their times where there are a million. */
async function plansOf(name: string, read: () => Promise<unknown>): Promise<string> {
  const plans = await plansOfRead(own.db, read);
  if (PARTNERS > 20_000) {
    const times = plans.map((plan) => /Execution Time: (.*) ms/.exec(plan)![1]);
    process.stderr.write(`${name}: ${times.join(' + ')} ms\n`);
    if (process.env['PLANS']) process.stderr.write(`${plans.join('\n')}\n`);
  }
  return plans.join('\n');
}

/** The plans, without carrying them out, of the statements of a change that is rolled back. */
async function plansOfChange(change: (tx: Tx) => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  const undone = inTransaction(own.db, async (tx) => {
    await change(tx);
    throw new Error('Undone.');
  });
  await expect(undone).rejects.toThrow('Undone.');
  const statements = sent.mock.calls as unknown as [string, { bind?: unknown[] } | undefined][];
  const calls = statements.flatMap(([text, options]) =>
    options?.bind ? [{ text, bind: options.bind }] : [],
  );
  sent.mockRestore();
  const plans = calls.map(async ({ text, bind }) => {
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  return (await Promise.all(plans)).join('\n');
}
const listed = (name: string, filter: PartnerFilter, sortBy: PartnerSort, offset = 0) =>
  plansOf(name, () =>
    listedPartners(own.db, filter, { sortBy, sortOrder: 'desc', limit: 100, offset, currency: 'USD' }),
  );

test('a page of a network reads the list of the one at the top, however deep the page', async () => {
  for (const offset of [0, BELOW - 200]) {
    const read = () => networkPage(own.db, head, { depth: 10, limit: 100, offset });
    expect((await read()).members).toHaveLength(100);
    const plan = await plansOf(`network from ${offset}`, read);
    expect(plan).toMatch(/Index Only Scan using partner_descendants_pkey/);
    expect(plan).not.toMatch(
      /Seq Scan on (partners|users|partner_standings|partner_levels|partner_descendants)/,
    );
  }
  expect((await networkPage(own.db, head, { depth: 10, limit: 1, offset: 0 })).total).toBe(BELOW - 1);
});

test('pages end at the most rows that are counted: for one beyond them nothing is read', async () => {
  const beyond = { limit: 100, offset: MOST_COUNTED };
  const order = { sortBy: 'networkSize', sortOrder: 'desc', currency: 'USD' } as const;
  const reads: Record<string, () => Promise<{ total: number }>> = {
    network: () => networkPage(own.db, head, { depth: 10, ...beyond }),
    partners: () => listedPartners(own.db, {}, { ...order, ...beyond }),
    shares: () => poolShares(own.db, head.id, beyond),
  };
  for (const [name, read] of Object.entries(reads)) {
    const { total, ...page } = await read();
    expect([name, Object.values(page)]).toEqual([name, [[]]]);
    expect(total).toBeLessThanOrEqual(MOST_COUNTED);
    const plans = await plansOfRead(own.db, read);
    expect([name, plans.map((plan) => plan.replace(/Buffers:.*\n/g, ''))]).toEqual([
      name,
      [expect.stringMatching(/^Aggregate.*\n\s+-> {2}Limit/) as string],
    ]);
  }
  expect(rowsOfPage({ limit: 100, offset: MOST_COUNTED - 40 })).toBe(40);
});

test('figures and details read a few rows of each table', async () => {
  const plan = [
    await plansOf('figures', () => networkFigures(own.db, head.id)),
    await plansOf('levels', () => networkLevels(own.db, head.id, null)),
    await plansOf('detail', () => partnerDetail(own.db, { partnerId: head.id }, 'USD')),
    await plansOf('commissions', () => recentCommissions(own.db, head.id, 10)),
  ].join('\n');
  expect(plan).not.toMatch(/Seq Scan on (partners|users|partner_standings|partner_levels)/);
});

test('of a customer with many old orders none is read for the active referrals, and for the size no order is', async () => {
  const [buyerId] = await people(own.db, [head.id]);
  await soldOrder(own.db, {
    buyerId: buyerId!,
    lines: [{ goodsMinor: 1_00 }],
    paidAt: new Date(Date.now() - 200 * 86_400_000),
  });
  await unhurried(
    `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'number', 'OLD-' || n,
       'is_first', false))).* FROM orders o, generate_series(1, 3000) n`,
  );
  await vacuum(own.owner, 'orders');
  expect(await plansOf('active', () => networkFigures(own.db, head.id))).toContain('orders_paid_idx');
  expect(await plansOf('size', () => networkSize(own.db, head.id))).not.toContain('orders');
});

test('a page of all partners is read in the order of an index', async () => {
  const orders = { createdAt: 'partners_joined_idx', totalEarned: 'partner_standings_earned_idx' } as const;
  for (const [sortBy, index] of Object.entries({ ...orders, networkSize: 'partner_standings_size_idx' }))
    expect(await listed(sortBy, {}, sortBy as PartnerSort)).toContain(`Backward using ${index}`);
  await listed('deep page', {}, 'totalEarned', PARTNERS / 2);
});

test('a filter reads an index of its own', async () => {
  expect(await listed('terminated', { status: 'TERMINATED' }, 'createdAt')).toContain(
    'partners_status_joined_idx',
  );
  const [lastOnly] = [String(PARTNERS - 1)];
  const found = await listed('by code', { search: `P${lastOnly.padStart(9, '0')}` }, 'totalEarned');
  expect(found).not.toMatch(/Seq Scan on (partners|users)/);
  expect(found).toMatch(/partners_code_prefix_idx/);
  await listed('by name', { search: `Family${lastOnly}` }, 'createdAt');
  await listed('terminated by earned', { status: 'TERMINATED' }, 'totalEarned');
  await listed('rank', { rank: 'BUILDER' }, 'createdAt');
  await listed('rank and status', { rank: 'STARTER', status: 'ACTIVE' }, 'networkSize');
});

test('a rank that is set by hand, higher or lower, reads those above and of each the highest leg', async () => {
  const lowest = await firstRow<{ id: string; userId: string }>(
    own.db,
    'SELECT id, user_id FROM partners ORDER BY number DESC LIMIT 1',
  );
  const at = new Date();
  const sets = (level: number) =>
    plansOfChange(async (tx) => {
      expect(await earnsBy(tx, lowest!.userId, head.id)).toBe(false);
      await execute(tx, 'UPDATE partner_standings SET rank_level = 2 WHERE partner_id = $1', [lowest!.id]);
      await setRank(tx, await lockRanksAbove(tx, lowest!.id), { level, limit: null, at });
    });
  const [higher, lower] = [await sets(4), await sets(1)];
  expect(`${higher}\n${lower}`).not.toMatch(/Seq Scan on (partners|partner_standings)/);
  expect(lower).toMatch(/Limit.*\n +-> {2}Index (Only )?Scan Backward using partner_standings_leg_ranks_idx/);
});
