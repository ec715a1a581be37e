import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Db } from '../db/sql';
import type { ApiConfig } from './config';
import { docsPages } from './docs';
import { endpoints } from './endpoints';
import { healthPages, type Health } from './health';
import { createAuthentication } from './http/auth';
import { publishedKeys } from './http/auth/published-keys';
import type { Extra } from './http/deps';
import { createMetrics, type Metrics } from './http/metrics';
import { createServer } from './http/server';
import type { Processes } from './http/temporal';
import { sandboxPages } from './sandbox/pages';

export interface AppDeps {
  config: ApiConfig;
  db: Db;
  processes: Processes;
  log: Logger;
}

/** Everything this API serves, put together; `health.stopping` is set by whoever stops it. */
export function createApp(deps: AppDeps): { app: Express; metrics: Metrics; health: Health } {
  const { config, db, processes, log } = deps;
  const { authenticate, identity } = createAuthentication({ db, config });
  const metrics = createMetrics(db);
  const health: Health = { stopping: false };
  const sandbox = sandboxPages({
    db,
    processes,
    log,
    secrets: config.SANDBOX_SECRET,
    homeUrl: new URL('/api/docs/', config.PUBLIC_URL).href,
  });
  const extras: Extra[] = [
    { path: '/health', handler: healthPages(db, processes, health) },
    { path: '/.well-known/jwks.json', handler: publishedKeys(identity) },
    { path: '/api/docs', handler: docsPages(endpoints) },
    { path: '/sandbox', handler: sandbox },
  ];
  const { observe } = metrics;
  const app = createServer({
    config,
    db,
    processes,
    log,
    authenticate,
    identity,
    endpoints,
    extras,
    observe,
  });
  return { app, metrics, health };
}
