import { setTimeout as pause } from 'node:timers/promises';
import type { Client as Postgres } from 'pg';
import { drive, quantile } from '../load';
import type { Fact } from '../row';
import { signedIn } from '../setting/people';
import { addReferred, addSoldOrders } from '../setting/sold-orders';
import type { Shop } from './chapter';

const READ_MS = 1_500;
const JOINS = 20;
const SALES = 100;
const COUNTED_WITHIN_MS = 120_000;

interface Asked {
  partnerId: string;
  userId: string;
  below: number;
}

/** The answers to partners, and the commissions of sales at the bottom of the network. */
export async function answersOfPartners(shop: Shop, partners: number): Promise<Fact[]> {
  const { sql } = shop.stage.postgres;
  const { rows } = await sql.query<Asked>(
    `SELECT p.id AS "partnerId", p.user_id AS "userId", s.network_size AS below
       FROM partner_standings s JOIN partners p ON p.id = s.partner_id
      WHERE s.network_size >= $1 ORDER BY s.network_size LIMIT 1`,
    [Math.floor(partners / 10)],
  );
  const asked = rows[0]!;
  return [...(await readsOf(shop, asked)), await joining(shop, asked), await selling(shop)];
}

async function readsOf({ stage, pace }: Shop, { userId, below }: Asked): Promise<Fact[]> {
  const token = await signedIn(stage.postgres.sql, userId, stage.secrets);
  const headers = { authorization: `Bearer ${token}` };
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  const facts: Fact[] = [];
  for (const path of [
    '/mlm/partner/me',
    '/mlm/partner/network?page=1',
    '/mlm/partner/network/stats',
    `/mlm/statements/${lastMonth.toISOString().slice(0, 7)}`,
  ]) {
    const ask = async (): Promise<undefined> => {
      await stage.api.ask({ path, headers });
    };
    await ask();
    const { latenciesMs } = await drive(ask, 1, Math.min(READ_MS, pace.sliceMs * pace.turns));
    facts.push({
      figure: `GET ${path} of a partner with ${below} below, one caller, p50 and p99, ms`,
      value: [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / '),
      target: '< 50',
    });
  }
  return facts;
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
    value: [0.5, 1].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / '),
  };
}

/** Sales to a customer of the deepest partner, from their announcement until the engine has counted the last one. */
async function selling({ stage, methodId, buyers }: Shop): Promise<Fact> {
  const { sql } = stage.postgres;
  const { rows } = await sql.query<{ depth: number }>(
    `UPDATE users u SET sponsor_id = p.id
       FROM (SELECT id, nlevel(path) AS depth FROM partners ORDER BY nlevel(path) DESC, id LIMIT 1) p
      WHERE u.id = $1 RETURNING p.depth`,
    [buyers[2]!.userId],
  );
  await allCounted(sql); // Those who joined.
  await addSoldOrders(sql, { buyerId: buyers[2]!.userId, methodId, count: SALES });
  const from = performance.now();
  await allCounted(sql);
  const eachMs = (performance.now() - from) / SALES;
  return {
    figure: `commissions of a sale at level ${rows[0]!.depth}, of ${SALES} announced at once, ms each`,
    value: eachMs.toFixed(1),
  };
}

async function allCounted(sql: Postgres): Promise<void> {
  for (const until = performance.now() + COUNTED_WITHIN_MS; ;) {
    const { rows } = await sql.query<{ open: number }>(
      'SELECT count(*)::int AS open FROM domain_events WHERE taken_at IS NULL',
    );
    if (rows[0]!.open === 0) return;
    if (performance.now() > until) throw new Error(`${rows[0]!.open} events were not counted in time.`);
    await pause(20);
  }
}
