import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { diskBlobs } from '../db/blobs/disk';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { ApiConfig } from './config';
import { docsPages } from './docs';
import { endpoints } from './endpoints';
import { healthPages, type Health } from './health';
import { createAuthentication } from './http/auth';
import { publishedKeys } from './http/auth/tokens/published-keys';
import type { Extra } from './http/deps';
import { createMetrics, type Metrics } from './http/observe/metrics';
import { CataloguePages } from './http/page-cache/catalogue-pages';
import { createServer } from './http/server';
import type { Processes } from './http/temporal/temporal';
import { mediaPages } from './media/pages';
import { Pictures } from './media/pictures';
import { intakeOf, isSandboxInUse } from './payments/webhooks/intakes';
import { sandboxPages } from './sandbox/pages';

export interface AppDeps {
  config: ApiConfig;
  policy: Policy;
  db: Db;
  /** Where changes of the catalogue are heard; without it no answer about the catalogue is kept. */
  databaseUrl?: string;
  processes: Processes;
  log: Logger;
  /** How Node is started where pictures are drawn, beyond what is usual. */
  pictureArgv?: readonly string[];
  /** Takes traces of requests, if they are taken. */
  trace?: RequestHandler | undefined;
}

export interface App {
  app: Express;
  metrics: Metrics;
  /** `stopping` is set by whoever stops it. */
  health: Health;
  /** Ends what goes on beside requests, after the last one. */
  close: () => Promise<void>;
}

/** Everything this API serves, put together. */
export function createApp(deps: AppDeps): App {
  const { config, policy, db, processes, log, trace } = deps;
  const { authenticate, identity } = createAuthentication({ db, config });
  const blobs = diskBlobs(config.BLOB_DIR);
  const pictures = new Pictures(log, deps.pictureArgv);
  const pages = pagesOf(deps);
  const metrics = createMetrics(db, pages);
  const health: Health = { stopping: false };
  const extras: Extra[] = [
    // Probes and callers may share an address; a process must not be ended because these ask too much.
    { path: '/health', handler: healthPages(db, processes, health), uncounted: ['/health/live'] },
    { path: '/.well-known/jwks.json', handler: publishedKeys(identity) },
    { path: '/api/docs', handler: docsPages(endpoints) },
    ...sandboxOf(deps),
    { path: '/media', handler: mediaPages({ db, blobs }) },
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
    pages,
    trace,
    observe,
    countSecurityEvent,
  });
  const close = async () => {
    await Promise.all([pages?.close(), pictures.close()]);
  };
  return { app, metrics, health, close };
}

/** The sandbox's pages, where it takes payments. */
function sandboxOf({ config, db, processes, log }: AppDeps): Extra[] {
  if (!isSandboxInUse(config)) return [];
  const homeUrl = new URL('/api/docs/', config.PUBLIC_URL).href;
  const handler = sandboxPages({ db, processes, log, secrets: config.SANDBOX_SECRET, homeUrl });
  return [{ path: '/sandbox', handler }];
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

function pagesOf({ config, databaseUrl: url, log }: AppDeps): CataloguePages | undefined {
  const mostBytes = config.CATALOGUE_CACHE_MB * BYTES_PER_MEGABYTE;
  return url === undefined || mostBytes === 0 ? undefined : new CataloguePages({ url, mostBytes, log });
}
