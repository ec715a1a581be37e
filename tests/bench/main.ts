import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { catalogue } from './chapters/catalogue';
import type { Findings, Shop } from './chapters/chapter';
import { checkout } from './chapters/checkout';
import { firstAnswer } from './chapters/first-answer';
import { idle } from './chapters/idle';
import { login } from './chapters/login';
import { analytics } from './chapters/analytics';
import { portfolio } from './chapters/portfolio';
import { partners } from './chapters/partners/partners';
import { webhook } from './chapters/webhook';
import { addProducts, openShop } from './setting/goods';
import { addOpenOrders } from './setting/open-orders';
import { makeBuyers } from './setting/people';
import { writeResults } from './results';
import { factsOf, tableOf } from './row';
import { setStage, type Stage } from './setting/stage';

/**
 * The extent of the measurement. `--quick` takes about half a minute; `--only checkout,login` measures some of the
 * chapters, `--callers 1,8` at other numbers of callers,
 * `--network 1000000,10000000,1000000` with so many partners, sales and commissions; `--history 1000000,10000000` with so many
 * orders and commissions in the past; `--profile <folder>` leaves a CPU profile of each Node process;
 * `--write` writes a whole run into RESULTS.md.
 */
const FULL = {
  levels: [1, 8, 32],
  pace: { sliceMs: 1_200, turns: 3, restMs: 50 },
  idle: { settleMs: 3_000, watchMs: 10_000 },
  small: { products: 1_000, openOrders: 10 },
  grown: { products: 100_000, openOrders: 10_000, levels: [1, 8] },
  network: { partners: 20_000, sales: 100_000, commissions: 20_000 },
  history: { orders: 100_000, commissions: 500_000 },
};
const QUICK: typeof FULL = {
  levels: [1, 8],
  pace: { sliceMs: 300, turns: 2, restMs: 50 },
  idle: { settleMs: 500, watchMs: 2_000 },
  small: { products: 1_000, openOrders: 10 },
  grown: { products: 5_000, openOrders: 100, levels: [1] },
  network: { partners: 5_000, sales: 20_000, commissions: 5_000 },
  history: { orders: 5_000, commissions: 20_000 },
};
/** As many buyers as callers shop, and as many others sign in. */
const BUYERS = 64;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const CHAPTERS = [
  'idle',
  'catalogue',
  'first-answer',
  'checkout',
  'webhook',
  'login',
  'portfolio',
  'partners',
  'analytics',
  'growth',
] as const;
type Chapter = (typeof CHAPTERS)[number];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      callers: { type: 'string' },
      network: { type: 'string' },
      history: { type: 'string' },
      profile: { type: 'string' },
      write: { type: 'boolean' },
    },
  });
  const wanted = values.only?.split(',') ?? CHAPTERS;
  const usual = values.quick ? QUICK : FULL;
  const size = {
    ...usual,
    network: networkOf(values.network) ?? usual.network,
    history: historyOf(values.history) ?? usual.history,
    levels: values.callers?.split(',').map(Number) ?? usual.levels,
  };
  const loadAtStart = loadavg()[0]!.toFixed(1);
  say('bringing up PostgreSQL, Temporal, a worker, two APIs and the bare server');
  const stage = await setStage(say, values.profile);
  const findings: Findings[] = [];
  try {
    const shop = await furnish(stage, size);
    const chapters = chaptersOf(shop, size);
    for (const name of CHAPTERS) {
      if (!wanted.includes(name)) continue;
      say(`measuring: ${name}`);
      findings.push(await chapters[name]());
    }
  } finally {
    print(loadAtStart, findings); // Also the results until a chapter failed.
    await stage.end();
  }
  const { rows, facts } = together(findings);
  if (values.write) writeResults(machine(loadAtStart), rows, facts);
}

function networkOf(list: string | undefined): typeof FULL.network | null {
  if (list === undefined) return null;
  const [count = 0, sales = 0, commissions = 0] = list.split(',').map(Number);
  return { partners: count, sales, commissions };
}

function historyOf(list: string | undefined): typeof FULL.history | null {
  if (list === undefined) return null;
  const [orders = 0, commissions = 0] = list.split(',').map(Number);
  return { orders, commissions };
}

function print(loadAtStart: string, findings: readonly Findings[]): void {
  const { rows, facts } = together(findings);
  process.stdout.write(`${[machine(loadAtStart), tableOf(rows), factsOf(facts)].join('\n\n')}\n`);
}

const together = (findings: readonly Findings[]): Findings => ({
  rows: findings.flatMap(({ rows }) => rows),
  facts: findings.flatMap(({ facts }) => facts),
});

async function furnish(stage: Stage, { small, levels, pace }: typeof FULL): Promise<Shop> {
  const { sql } = stage.postgres;
  const { methodId } = await openShop(sql);
  await addProducts(sql, 1, small.products);
  const buyers = await makeBuyers(sql, BUYERS, stage.secrets);
  const shop = { stage, buyers, methodId, levels, pace };
  await addOpenOrders({ sql, temporal: stage.temporal.client }, { from: 1, to: small.openOrders, methodId });
  return shop;
}

const chaptersOf = (shop: Shop, size: typeof FULL): Record<Chapter, () => Promise<Findings>> => ({
  idle: () => idle(shop, size.idle),
  catalogue: () => catalogue(shop, size.small.products),
  'first-answer': () => firstAnswer(shop),
  checkout: () => checkout(shop),
  webhook: () => webhook(shop),
  login: () => login(shop),
  portfolio: () => portfolio(shop),
  partners: () => partners(shop, size.network),
  analytics: () => analytics(shop, size.history),
  growth: () => growth(shop, size),
});

/** Repeats it with a hundred times the products and a thousand times the open orders. */
async function growth(shop: Shop, { small, grown }: typeof FULL): Promise<Findings> {
  const { sql } = shop.stage.postgres;
  say(`adding products up to ${grown.products}`);
  await addProducts(sql, small.products + 1, grown.products);
  say(`adding open orders up to ${grown.openOrders}`);
  const more = { from: small.openOrders + 1, to: grown.openOrders, methodId: shop.methodId };
  await addOpenOrders({ sql, temporal: shop.stage.temporal.client }, more);
  const grownShop = { ...shop, levels: grown.levels };
  const goods = await catalogue(grownShop, grown.products);
  const orders = await checkout(grownShop);
  return { rows: [...goods.rows, ...orders.rows], facts: [...goods.facts, ...orders.facts] };
}

const machine = (loadAtStart: string): string =>
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
  `${(totalmem() / 1024 ** 3).toFixed(0)} GiB, Node ${process.version}; load average at the start ${loadAtStart}.`;

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
