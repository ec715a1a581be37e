import { drive, quantile } from '../load';
import type { Fact } from '../row';
import { addHistory, type HistorySize } from '../setting/history';
import { signedIn } from '../setting/people';
import type { Findings, Shop } from './chapter';

const READ_MS = 1_500;
const PATHS = ['overview', 'sales', 'partners'].map(
  (page) => `/admin/analytics/${page}?period=1y&timezone=Asia/Kathmandu`,
);

/** The figures of a year by days, over a tenth of a history and over all of it. */
export async function analytics(shop: Shop, size: HistorySize): Promise<Findings> {
  const { stage, buyers, methodId } = shop;
  const { sql } = stage.postgres;
  const buyerId = buyers[3]!.userId;
  await sql.query(`UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [buyerId]);
  const headers = { authorization: `Bearer ${await signedIn(sql, buyerId, stage.secrets)}` };
  const tenth = { orders: Math.ceil(size.orders / 10), commissions: Math.ceil(size.commissions / 10) };
  const facts: Fact[] = [];
  let from = { orders: 0, commissions: 0 };
  for (const extent of [tenth, size]) {
    const words = `${extent.orders} orders and ${extent.commissions} commissions`;
    const seconds = await addHistory(sql, extent, from, { buyerId, methodId });
    facts.push({ figure: `counting ${words} into rollups, s`, value: seconds.toFixed(1) });
    for (const path of PATHS) facts.push(await reading(shop, path, headers, words));
    from = extent;
  }
  return { rows: [], facts };
}

async function reading(
  { stage, pace }: Shop,
  path: string,
  headers: Record<string, string>,
  words: string,
): Promise<Fact> {
  const ask = async (): Promise<undefined> => {
    await stage.api.ask({ path, headers });
  };
  await ask();
  const { latenciesMs } = await drive(ask, 1, Math.min(READ_MS, pace.sliceMs * pace.turns));
  return {
    figure: `GET ${path} over ${words}, one caller, p50 and p99, ms`,
    value: [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / '),
    target: '< 100',
  };
}
