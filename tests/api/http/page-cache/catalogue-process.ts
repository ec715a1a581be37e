import type { Server } from 'node:http';
import supertest, { type Response } from 'supertest';
import { z } from 'zod';
import { categoryEndpoints } from '../../../../api/categories';
import { endpoint, type Endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { createLogger } from '../../../../api/http/observe/log';
import { CatalogueCache, type Outcome } from '../../../../api/http/page-cache/catalogue-cache';
import { productEndpoints } from '../../../../api/products';
import { inTransaction } from '../../../../db/sql/transaction';
import { execute } from '../../../../db/sql/query';
import type { TestDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { serverOf } from '../shop';
import { unnamed } from '../unnamed';

type Database = Pick<TestDatabase, 'db' | 'url'>;

/** One API process with its catalogue cache; several over one database represent several machines. */
export interface CatalogueProcess {
  readonly cache: CatalogueCache;
  /** For supertest, if `get` is not enough. */
  readonly address: Server;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends a request that makes a change; answers after the commit. */
  change: (...statements: string[]) => Promise<void>;
  /** Counts the outcomes while `work` runs. */
  outcomesOf: (work: () => Promise<unknown>) => Promise<Record<Outcome, number>>;
}

/** An endpoint that runs the given change, like a request of an administrator or a buyer. */
const changeEndpoint = endpoint({
  ...{
    method: 'post',
    path: '/change',
    auth: 'public',
    limit: generalLimit,
    ...unnamed,
  },
  body: z.object({ statements: z.array(z.string()) }),
  success: 200,
  errors: {},
  data: z.object({}),
  async handle({ body: { statements } }, { db }) {
    await inTransaction(db, async (tx) => {
      for (const statement of statements) await execute(tx, statement);
    });
    return {};
  },
});

interface ProcessOptions {
  mostBytes?: number;
  settings?: Record<string, string>;
  endpoints?: readonly Endpoint[];
  /** Collects log lines. */
  lines?: string[];
  /** The address on which it listens for changes; by default the database itself. */
  listenAt?: string;
}

/** Opens processes over the calling file's database and closes them with it. Call it at the file's top level. */
export function catalogueProcesses(database: Database) {
  const cleanup: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of cleanup.splice(0).reverse()) await end();
  });
  return async (options: ProcessOptions = {}): Promise<CatalogueProcess> => {
    const { mostBytes = 1e7, settings = {}, endpoints = [], lines, listenAt } = options;
    const cache = new CatalogueCache({
      url: listenAt ?? database.url,
      mostBytes,
      log: createLogger('silent'),
    });
    cleanup.push(() => cache.close());
    const app = serverOf({
      db: database.db,
      endpoints: [...productEndpoints, ...categoryEndpoints, changeEndpoint, ...endpoints],
      settings,
      ...(lines && { lines }),
      cache,
    });
    const server: Server = app.listen(0);
    cleanup.push(() => new Promise((resolve) => server.close(resolve)));
    await listening(cache);
    return processOf(server, cache);
  };
}

/** Resolves when the cache listens for changes, so that pages are cached. */
export const listening = (cache: CatalogueCache): Promise<void> =>
  eventually(async () => {
    if (!(await cache.refresh())) throw new Error('It does not listen yet.');
  });

/**
 * Repeats a request until it answers the value that was just committed. A request that begins a second or more after
 * the commit must answer it, also on a busy machine.
 */
export async function answeredWithinASecond(ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  const committed = performance.now();
  const last = await eventually(async () => {
    const late = performance.now() - committed > 1_000;
    const answered = await ask();
    if (answered !== expected && !late) throw new Error('Not yet.');
    return answered;
  });
  expect(last).toBe(expected);
}

function processOf(server: Server, cache: CatalogueCache): CatalogueProcess {
  const agent = supertest(server);
  return {
    cache,
    address: server,
    get: async (path, headers = {}) => agent.get(`/api/v1${path}`).set(headers),
    async change(...statements) {
      const { status, text } = await agent.post('/api/v1/change').send({ statements });
      if (status !== 200) throw new Error(text);
    },
    async outcomesOf(work) {
      const before = { ...cache.outcomes };
      await work();
      const { hit, joined, miss, bypass } = cache.outcomes;
      return {
        hit: hit - before.hit,
        joined: joined - before.joined,
        miss: miss - before.miss,
        bypass: bypass - before.bypass,
      };
    },
  };
}
