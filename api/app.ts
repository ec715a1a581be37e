import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { paymentWebhooks } from '../activities/providers/payments/webhooks';
import { diskBlobs } from '../db/blobs/disk';
import { bankFileDebtor } from '../db/commerce/bank-file/config';
import type { Policy } from '../db/policy/config';
import { addressesAllowedBy } from '../db/investment/provider/config';
import type { Db } from '../db/sql/query';
import type { ApiConfig } from './config';
import { BARE_PATHS, docsPages, docsPointer } from './docs';
import { endpoints } from './endpoints';
import { healthPages, type Health } from './health';
import { createAuthentication } from './http/auth';
import { publishedKeys } from './http/auth/tokens/published-keys';
import type { Extra, ServerDeps } from './http/deps';
import { addCacheMetrics } from './http/page-cache/cache-metrics';
import { createMetrics, type Metrics } from './http/observe/metrics';
import { CatalogueCache } from './http/page-cache/catalogue-cache';
import { createServer } from './http/server';
import type { Processes } from './http/temporal/temporal';
import { providerIntakes } from './investment/webhooks/provider-intakes';
import { mediaPages } from './media/pages';
import { createMedia } from './media/media';
import { scannerOf } from './media/scanner/config';
import { showOrder } from './orders/show';
import { intakesOf, isSandboxInUse, sendsBySandbox } from './payments/webhooks/intakes';
import { sandboxPages } from './sandbox/pages';
import { transferPages } from './sandbox/transfers/pages';

export interface AppDeps {
  config: ApiConfig;
  policy: Policy;
  db: Db;
  /** The database, for receiving changes of the catalogue; left out, no answer about the catalogue is cached. */
  databaseUrl?: string;
  processes: Processes;
  log: Logger;
  /** Left out: of the providers of this release. */
  paymentIntake?: ServerDeps['paymentIntake'];
  /** Additional arguments of the Node processes that decode files. */
  decoderArgv?: readonly string[];
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
  const cache = cacheOf(deps);
  const metrics = createMetrics({
    db,
    endpoints,
    addMetrics: cache && ((registry) => addCacheMetrics(registry, cache)),
  });
  const media = createMedia({
    log,
    execArgv: deps.decoderArgv,
    scanner: scannerOf(config),
    countScan: metrics.countScan,
  });
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
    documents: media.documents,
    pictures: media.pictures,
    paymentIntake: deps.paymentIntake ?? intakesOf(paymentWebhooks, config),
    providerAddresses: addressesAllowedBy(config),
    payoutProvider: config.PAYOUT_PROVIDER,
    bankFileDebtor: bankFileDebtor(config),
    temporalUi: temporalUiOf(config),
    providerIntake: providerIntakes(db, config.SEALING_KEYS),
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
    await Promise.all([cache?.close(), media.close()]);
  };
  return { app, metrics, health, close };
}

/** The address under which the Temporal UI shows the processes of our namespace; null: it is not configured. */
const temporalUiOf = ({ TEMPORAL_UI_URL: base, TEMPORAL_NAMESPACE: namespace }: ApiConfig): string | null =>
  base === undefined ? null : `${base}/namespaces/${encodeURIComponent(namespace)}/workflows`;

/** The sandbox's pages: of transfers, if it sends money out, and of payments, if it takes them. */
function sandboxOf({ config, policy, db, processes, log }: AppDeps): Extra[] {
  const secrets = config.SANDBOX_SECRET;
  const homeUrl = orderInDocs(config.PUBLIC_URL);
  const { sandboxFeeBp: feeBp } = policy;
  const transfers = { path: '/sandbox/transfers', handler: transferPages({ db, processes, log, secrets }) };
  const payments = {
    path: '/sandbox',
    handler: sandboxPages({ db, processes, log, secrets, homeUrl, feeBp }),
  };
  return [...(sendsBySandbox(config) ? [transfers] : []), ...(isSandboxInUse(config) ? [payments] : [])];
}

/** The operation that shows the order: there is no shop to lead buyers back to. */
const orderInDocs = (publicUrl: string): string =>
  new URL(`/api/docs/#/${showOrder.tag}/${showOrder.id}`, publicUrl).href;

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The cache of catalogue pages, unless it is switched off. */
function cacheOf({ config, databaseUrl: url, log }: AppDeps): CatalogueCache | undefined {
  const mostBytes = config.CATALOGUE_CACHE_MB * BYTES_PER_MEGABYTE;
  return url === undefined || mostBytes === 0 ? undefined : new CatalogueCache({ url, mostBytes, log });
}
