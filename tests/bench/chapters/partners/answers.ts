import { setTimeout as pause } from 'node:timers/promises';
import type { Client as Postgres } from 'pg';
import { drive, quantile } from '../../load';
import type { Fact } from '../../row';
import { signedIn } from '../../setting/people';
import { addReferred, addSoldOrders } from '../../setting/sold-orders';
import type { Shop } from '../chapter';

const READ_MS = 1_500;
const JOINS = 20;
const SALES = 100;
const SINGLE_SALES = 20;
const COUNTED_WITHIN_MS = 120_000;

/** A partner of the network, and the number of those below. */
export interface Asked {
  partnerId: string;
  number: number;
  userId: string;
  below: number;
}

/** The partner with the smallest network that is at least of a size. */
export async function partnerAbove(sql: Postgres, below: number): Promise<Asked> {
  const { rows } = await sql.query<Asked>(
    `SELECT p.id AS "partnerId", p.number::int AS number, p.user_id AS "userId", s.network_size AS below
       FROM partner_standings s JOIN partners p ON p.id = s.partner_id
      WHERE s.network_size >= $1 ORDER BY s.network_size LIMIT 1`,
    [Math.floor(below)],
  );
  return rows[0]!;
}

/** The answers to partners and administrators, and the commissions of sales at the bottom of the network. */
export async function answersOfPartners(shop: Shop, partners: number): Promise<Fact[]> {
  const { sql } = shop.stage.postgres;
  const many = await partnerAbove(sql, partners / 10);
  const few = await partnerAbove(sql, partners / 100);
  return [
    ...(await readsOf(shop, { many, few })),
    ...(await listsOf(shop)),
    await joining(shop, many),
    ...(await selling(shop)),
  ];
}

const OWN_PATHS = ['/mlm/partner/me', '/mlm/partner/network?page=1', '/mlm/partner/network/stats'];
const ADMIN_PATHS = ['', '/network?page=1'];
const LISTS = ['/admin/partners?sortBy=networkSize', '/admin/commissions', '/admin/pools'];

/** The reads of a network: of a partner with many below, and how that compares with a tenth of them. */
async function readsOf(shop: Shop, { many, few }: Record<'many' | 'few', Asked>): Promise<Fact[]> {
  const admin = await administrator(shop);
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  const own = [...OWN_PATHS, `/mlm/statements/${lastMonth.toISOString().slice(0, 7)}`];
  const facts: Fact[] = [];
  for (const path of own)
    facts.push(
      await compared(path, many, few, async ({ userId }) =>
        latenciesOf(shop, path, await headersOf(shop, userId)),
      ),
    );
  for (const end of ADMIN_PATHS)
    facts.push(
      await compared(`/admin/partners/:id${end}`, many, few, ({ partnerId }) =>
        latenciesOf(shop, `/admin/partners/${partnerId}${end}`, admin),
      ),
    );
  return facts;
}

async function compared(
  path: string,
  many: Asked,
  few: Asked,
  latencies: (of: Asked) => Promise<number[]>,
): Promise<Fact> {
  const [ofFew, ofMany] = [await latencies(few), await latencies(many)];
  const ratio = quantile(ofMany, 0.5) / quantile(ofFew, 0.5);
  return {
    figure: `GET ${path} with ${many.below} below, one caller, p50 and p99, ms; p50 ÷ that with ${few.below} below`,
    value: `${inMs(ofMany, [0.5, 0.99])}; ${ratio.toFixed(2)}`,
    target: '< 50; < 2',
  };
}

/** The lists of administrators, over everything. */
async function listsOf(shop: Shop): Promise<Fact[]> {
  const admin = await administrator(shop);
  const facts: Fact[] = [];
  for (const path of LISTS)
    facts.push({
      figure: `GET ${path}, one caller, p50 and p99, ms`,
      value: inMs(await latenciesOf(shop, path, admin), [0.5, 0.99]),
      target: '< 50',
    });
  return facts;
}

const inMs = (latenciesMs: readonly number[], shares: readonly number[]): string =>
  shares.map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / ');

const headersOf = async ({ stage }: Shop, userId: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await signedIn(stage.postgres.sql, userId, stage.secrets)}`,
});

async function administrator(shop: Shop): Promise<Record<string, string>> {
  const { userId } = shop.buyers[4]!;
  await shop.stage.postgres.sql.query(`UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [userId]);
  return headersOf(shop, userId);
}

async function latenciesOf(
  { stage, pace }: Shop,
  path: string,
  headers: Record<string, string>,
): Promise<number[]> {
  const ask = async (): Promise<undefined> => {
    await stage.api.ask({ path, headers });
  };
  await ask();
  return (await drive(ask, 1, Math.min(READ_MS, pace.sliceMs * pace.turns))).latenciesMs;
}

/** People whom the partner referred, who join one after the other. */
async function joining({ stage }: Shop, { partnerId }: Asked): Promise<Fact> {
  const { sql } = stage.postgres;
  const latenciesMs: number[] = [];
  for (const userId of await addReferred(sql, partnerId, JOINS)) {
    const token = await signedIn(sql, userId, stage.secrets);
    const from = performance.now();
    await stage.api.ask({
      method: 'POST',
      path: '/mlm/partner/join',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `join-${userId}` },
      body: { acceptTerms: true },
    });
    latenciesMs.push(performance.now() - from);
  }
  return {
    figure: 'POST /mlm/partner/join until the partner is there, one caller, p50 and the longest, ms',
    value: inMs(latenciesMs, [0.5, 1]),
  };
}

/** Sales to a customer of the deepest partner, from their announcement until the engine has counted them: one alone, and many. */
async function selling({ stage, methodId, buyers }: Shop): Promise<Fact[]> {
  const { sql } = stage.postgres;
  const { rows } = await sql.query<{ depth: number }>(
    `UPDATE users u SET sponsor_id = p.id
       FROM (SELECT id, nlevel(path) AS depth FROM partners ORDER BY nlevel(path) DESC, id LIMIT 1) p
      WHERE u.id = $1 RETURNING p.depth`,
    [buyers[2]!.userId],
  );
  await allCounted(sql); // Those who joined.
  const sell = async (first: number, count: number): Promise<number> => {
    await addSoldOrders(sql, { buyerId: buyers[2]!.userId, methodId, from: first, count });
    const from = performance.now();
    await allCounted(sql);
    return performance.now() - from;
  };
  const latenciesMs: number[] = [];
  for (let sale = 1; sale <= SINGLE_SALES; sale++) latenciesMs.push(await sell(sale, 1));
  const place = `at level ${rows[0]!.depth}`;
  return [
    {
      figure: `from a sale ${place} to its commissions, p50 and the longest, ms`,
      value: inMs(latenciesMs, [0.5, 1]),
      target: '< 2000',
    },
    {
      figure: `commissions of a sale ${place}, of ${SALES} announced at once, ms each`,
      value: ((await sell(SINGLE_SALES + 1, SALES)) / SALES).toFixed(1),
    },
  ];
}

async function allCounted(sql: Postgres): Promise<void> {
  for (const until = performance.now() + COUNTED_WITHIN_MS; ;) {
    const { rows } = await sql.query<{ open: number }>('SELECT count(*)::int AS open FROM event_deliveries');
    if (rows[0]!.open === 0) return;
    if (performance.now() > until) throw new Error(`${rows[0]!.open} events were not counted in time.`);
    await pause(20);
  }
}
