import { investmentsPage } from '../../../../api/admin/analytics/investments';
import { kycPage } from '../../../../api/admin/analytics/kyc';
import { overviewPage } from '../../../../api/admin/analytics/overview';
import { partnersPage } from '../../../../api/admin/analytics/partners';
import { payoutsPage } from '../../../../api/admin/analytics/payouts';
import { rangeOf } from '../../../../api/admin/analytics/reading/analytics-query';
import { salesPage } from '../../../../api/admin/analytics/sales';
import { figureSums } from '../../../../db/administration/analytics/figures.reads';
import { execute } from '../../../../db/sql/query';
import { FIGURES } from '../../../../workflows/administration/analytics/figures.rules';
import { plansOf } from '../../../support/checks/plans-of';
import { vacuum } from '../../../support/cost/vacuum';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const PAGES = [overviewPage, salesPage, investmentsPage, partnersPage, payoutsPage, kycPage];
const YEAR = 365;

/** Rollups of every figure on each of these days, as many hours before midnight; the oldest day first. */
async function rolledUp(from: number, to: number): Promise<void> {
  await execute(
    own.db,
    `INSERT INTO analytics_rollups (span_minutes, starts_at, figure, part, currency, occurrences, amount_minor, seconds)
     SELECT s.minutes, date_bin(s.minutes * interval '1 minute', date_trunc('day', now()) - d * interval '1 day' + q * interval '15 minutes', 'epoch'),
       f.figure, p.part, 'USD', 1, 1, 1
       FROM generate_series($2::int, $3::int) d, unnest($1::text[]) AS f (figure), unnest('{LOW,HIGH}'::text[]) AS p (part),
         generate_series(0, 95, 48) q, unnest('{15,1440,43200}'::int[]) AS s (minutes)
     ON CONFLICT DO NOTHING`,
    [FIGURES, from, to],
  );
  await vacuum(own.owner, 'analytics_rollups');
}

const range = rangeOf({ period: '1y', granularity: 'day', timezone: 'UTC', currency: 'USD' }, new Date());
if ('field' in range) throw new Error(range.message);
const { boundaries } = range;

/** The plan of the statement of each page, and the pages of memory that it reads. */
async function reads(): Promise<{ plan: string; buffers: number }[]> {
  const found = [];
  for (const page of PAGES) {
    const [plan = ''] = await plansOf(own.db, () =>
      figureSums(own.db, { ...page, boundaries, currency: 'USD' }),
    );
    const [, hit = '0', , read = '0'] = /Buffers: shared hit=(\d+)( read=(\d+))?/.exec(plan) ?? [];
    found.push({ plan, buffers: Number(hit) + Number(read) });
  }
  return found;
}

test('a page reads the rollups of its range by the key, as many of four years as of one', async () => {
  await rolledUp(0, YEAR);
  const before = await reads();
  await rolledUp(YEAR + 1, 4 * YEAR);
  const after = await reads();
  for (const [place, { plan, buffers }] of after.entries()) {
    expect(plan).not.toMatch(/Seq Scan on analytics_rollups/);
    expect(buffers).toBeGreaterThan(0);
    const ratio = buffers / before[place]!.buffers;
    expect([PAGES[place]!.name, ratio, ratio < 1.3]).toEqual([PAGES[place]!.name, ratio, true]);
  }
});
