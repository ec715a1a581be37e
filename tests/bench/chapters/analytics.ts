import type { Client as Postgres } from 'pg';
import { investmentsPage } from '../../../api/admin/analytics/investments';
import { kycPage } from '../../../api/admin/analytics/kyc';
import { overviewPage } from '../../../api/admin/analytics/overview';
import { partnersPage } from '../../../api/admin/analytics/partners';
import { payoutsPage } from '../../../api/admin/analytics/payouts';
import type { AnalyticsPage } from '../../../api/admin/analytics/reading/page';
import { salesPage } from '../../../api/admin/analytics/sales';
import { drive, quantile } from '../load';
import type { Fact } from '../row';
import { addHistory, type HistorySize } from '../setting/history';
import { signedIn } from '../setting/people';
import type { Findings, Shop } from './chapter';

const READ_MS = 1_500;
const ZONE = 'Asia/Kathmandu';
const PAGES = [overviewPage, salesPage, investmentsPage, partnersPage, payoutsPage, kycPage];

/** The figures of a year by days, over a tenth of a history and over all of it, and of the rows that they are made of. */
export async function analytics(shop: Shop, size: HistorySize): Promise<Findings> {
  const { stage, buyers, methodId } = shop;
  const { sql } = stage.postgres;
  const buyerId = buyers[3]!.userId;
  await sql.query(`UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [buyerId]);
  await sql.query(
    `INSERT INTO second_factors (user_id, method, secret_sealed, created_at, enabled_at) VALUES ($1, 'TOTP', 'x', now(), now())`,
    [buyerId],
  );
  const headers = { authorization: `Bearer ${await signedIn(sql, buyerId, stage.secrets)}` };
  const tenth = { orders: Math.ceil(size.orders / 10), commissions: Math.ceil(size.commissions / 10) };
  const facts: Fact[] = [];
  const medians: number[][] = [];
  let from = { orders: 0, commissions: 0 };
  for (const extent of [tenth, size]) {
    const words = `${extent.orders} orders and ${extent.commissions} commissions`;
    const seconds = await addHistory(sql, extent, from, { buyerId, methodId });
    facts.push({ figure: `counting ${words} into rollups, s`, value: seconds.toFixed(1) });
    const read: number[] = [];
    for (const page of PAGES) {
      const [p50, p99] = await reading(shop, pathOf(page), headers);
      read.push(p50);
      facts.push({
        figure: `GET ${pathOf(page)} over ${words}, one caller, p50 and p99, ms`,
        value: `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
        target: '< 100',
      });
    }
    medians.push(read);
    from = extent;
  }
  for (const [place, page] of PAGES.entries()) facts.push(...(await ratios(sql, page, place, medians)));
  return { rows: [], facts };
}

const pathOf = ({ show: { path } }: AnalyticsPage): string => `${path}?period=1y&timezone=${ZONE}`;

async function reading(
  { stage, pace }: Shop,
  path: string,
  headers: Record<string, string>,
): Promise<[p50: number, p99: number]> {
  const ask = async (): Promise<undefined> => {
    await stage.api.ask({ path, headers });
  };
  await ask();
  const { latenciesMs } = await drive(ask, 1, Math.min(READ_MS, pace.sliceMs * pace.turns));
  return [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
}

/** The time of all of the history by that of a tenth, and the time of the same sums of the facts by that of the page. */
async function ratios(
  sql: Postgres,
  { name, figures }: AnalyticsPage,
  place: number,
  [ofTenth = [], ofWhole = []]: number[][],
): Promise<Fact[]> {
  const whole = ofWhole[place] ?? NaN;
  const start = performance.now();
  await sql.query(
    `SELECT figure, part, (at AT TIME ZONE '${ZONE}')::date AS day, sum(occurrences), sum(amount_minor), sum(seconds)
       FROM analytics_facts WHERE at >= now() - interval '1 year' AND figure = ANY ($1) GROUP BY 1, 2, 3`,
    [figures],
  );
  const slowMs = performance.now() - start;
  return [
    {
      figure: `${name} over all of the history ÷ over a tenth, p50`,
      value: (whole / (ofTenth[place] ?? NaN)).toFixed(2),
      target: '≤ 1.5',
    },
    {
      figure: `${name}: the same sums from \`analytics_facts\` ÷ the page, p50`,
      value: (slowMs / whole).toFixed(1),
    },
  ];
}
