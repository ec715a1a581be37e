import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { diskBlobs } from '../db/blobs/disk';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { ApiConfig } from './config';
import { BARE_PATHS, docsPages, docsPointer } from './docs';
import { operationId } from './docs/operations';
import { endpoints } from './endpoints';
import { healthPages, type Health } from './health';
import { createAuthentication } from './http/auth';
import { publishedKeys } from './http/auth/tokens/published-keys';
import type { Extra } from './http/deps';
import { createMetrics, type Metrics } from './http/observe/metrics';
import { CatalogueCache } from './http/page-cache/catalogue-cache';
import { createServer } from './http/server';
import type { Processes } from './http/temporal/temporal';
import { mediaPages } from './media/pages';
import { Pictures } from './media/pictures';
import { showOrder } from './orders/show';
import { intakeOf, isSandboxInUse } from './payments/webhooks/intakes';
import { sandboxPages } from './sandbox/pages';

export interface AppDeps {
  config: ApiConfig;
  policy: Policy;
  db: Db;
  /** The database, for receiving changes of the catalogue; left out, no answer about the catalogue is cached. */
  databaseUrl?: string;
  processes: Processes;
  log: Logger;
  /** Additional arguments of the Node processes that draw pictures. */
  pictureArgv?: readonly string[];
  /** Traces requests; left out, no traces are collected. */
  trace?: RequestHandler | undefined;
}

export interface App {
  app: Express;
  metrics: Metrics;
  /** Set by `main`. */
  health: Health;
  /** Stops background work; call it after the last request. */
  close: () => Promise<void>;
}

/** Builds the API from its parts. */
export function createApp(deps: AppDeps): App {
  const { config, policy, db, processes, log, trace } = deps;
  const { authenticate, identity } = createAuthentication({ db, config });
  const blobs = diskBlobs(config.BLOB_DIR);
  const pictures = new Pictures(log, deps.pictureArgv);
  const cache = cacheOf(deps);
  const metrics = createMetrics({ db, endpoints, cache });
  const health: Health = { stopping: false, registering: false };
  const extras: Extra[] = [
    // Not counted, so that callers behind the address of a probe cannot make it fail and the process be ended.
    { path: '/health', handler: healthPages(db, processes, health), uncounted: ['/health/live'] },
    { path: '/.well-known/jwks.json', handler: publishedKeys(identity) },
    { path: '/api/docs', handler: docsPages(endpoints) },
    ...sandboxOf(deps),
    { path: '/media', handler: mediaPages({ db, blobs }) },
    ...BARE_PATHS.map((path) => ({ path, handler: docsPointer, exact: true as const })),
  ];
  const { observe, countSecurityEvent } = metrics;
  const app = createServer({
    config,
    policy,
    db,
    processes,
    blobs,
    pictures,
    paymentIntake: (provider) => intakeOf(provider, config),
    log,
    authenticate,
    identity,
    geo: config.GEOIP_FILE,
    endpoints,
    extras,
    cache,
    trace,
    observe,
    countSecurityEvent,
  });
  const close = async () => {
    await Promise.all([cache?.close(), pictures.close()]);
  };
  return { app, metrics, health, close };
}

/** The sandbox's pages, if the sandbox takes payments. */
function sandboxOf({ config, db, processes, log }: AppDeps): Extra[] {
  if (!isSandboxInUse(config)) return [];
  const homeUrl = orderInDocs(config.PUBLIC_URL);
  const handler = sandboxPages({ db, processes, log, secrets: config.SANDBOX_SECRET, homeUrl });
  return [{ path: '/sandbox', handler }];
}

/** The operation that shows the order: there is no shop to lead buyers back to. */
const orderInDocs = (publicUrl: string): string =>
  new URL(`/api/docs/#/${showOrder.tag}/${operationId(showOrder)}`, publicUrl).href;

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The cache of catalogue pages, unless it is switched off. */
function cacheOf({ config, databaseUrl: url, log }: AppDeps): CatalogueCache | undefined {
  const mostBytes = config.CATALOGUE_CACHE_MB * BYTES_PER_MEGABYTE;
  return url === undefined || mostBytes === 0 ? undefined : new CatalogueCache({ url, mostBytes, log });
}
