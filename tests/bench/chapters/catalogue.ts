import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Client as Postgres } from 'pg';
import type { Client } from '../client';
import { duel } from '../duel';
import { categoryIds, seriesSearches, someFilters, someProducts } from '../setting/goods';
import { ratioOf, type Row } from '../row';
import type { Findings, Shop } from './chapter';

/** Enough different requests that no two in a row are equal. */
const DIFFERENT = 200;
/** Visitors rarely read more pages than this. */
const PAGES = 5;

/** Lists, filters, searches, details of products and pages of categories, without the cache and with it, against Express and `pg`. */
export async function catalogue({ stage, levels, pace }: Shop, products: number): Promise<Findings> {
  const rows: Row[] = [];
  const facts: Findings['facts'] = [];
  for (const [name, paths] of Object.entries(await requests(stage.postgres.sql, products))) {
    await requireSameBytes(stage.api.ask, stage.bare.ask, paths);
    const contenders = {
      ours: contender(stage.api, paths, stage.postgres.pid),
      bare: contender(stage.bare, paths, stage.postgres.pid),
      cached: contender(stage.cachingApi, paths, stage.postgres.pid),
    };
    const ratios: { uncached: number; cached: number }[] = [];
    for (const callers of levels) {
      const { ours, bare, cached } = await duel(contenders, callers, pace);
      const measured = `${name}, ${products.toLocaleString('en')} products`;
      rows.push({ measured, callers, ours, bare });
      rows.push({ measured: `${measured}, cached`, callers, ours: cached, bare });
      ratios.push({ uncached: ratioOf({ ours, bare }), cached: ratioOf({ ours: cached, bare }) });
    }
    const list = (which: keyof (typeof ratios)[number]): string =>
      ratios.map((ratio) => ratio[which].toFixed(2)).join(', ');
    const at = `at ${levels.join(', ')} callers`;
    const of = `${name} of ${products.toLocaleString('en')} products`;
    facts.push({ figure: `${of}, uncached ÷ bare ${at}`, value: list('uncached'), target: '≥ 0.60' });
    facts.push({ figure: `${of}, cached ÷ bare ${at}`, value: list('cached'), target: '≥ 3' });
  }
  return { rows, facts };
}

async function requests(sql: Postgres, products: number): Promise<Record<string, string[]>> {
  return {
    list: Array.from({ length: PAGES }, (_, index) => `/products?page=${index + 1}`),
    filter: (await someFilters(sql, DIFFERENT)).map((query) => `/products?${query}`),
    search: seriesSearches(products, DIFFERENT).map(
      (words) => `/products?search=${encodeURIComponent(words)}`,
    ),
    detail: (await someProducts(sql, DIFFERENT)).map((id) => `/products/${id}`),
    category: (await categoryIds(sql)).flatMap((id) =>
      Array.from({ length: PAGES }, (_, index) => `/categories/${id}?page=${index + 1}`),
    ),
  };
}

function contender({ ask, pid }: { ask: Client; pid: number }, paths: readonly string[], postgres: number) {
  let next = 0;
  const operation = async (): Promise<undefined> => {
    await ask({ path: paths[next++ % paths.length]! });
  };
  return { operation, servers: { server: pid, PostgreSQL: postgres } };
}

/** Requires equal answers, since a smaller answer is faster. The order of an object's fields may differ. */
async function requireSameBytes(ours: Client, bare: Client, paths: readonly string[]): Promise<void> {
  for (const path of paths.slice(0, 3)) {
    const [our, their] = await Promise.all([ours({ path }), bare({ path })]);
    deepStrictEqual(JSON.parse(our.text), JSON.parse(their.text));
    strictEqual(our.text.length, their.text.length);
  }
}
