import { access } from 'node:fs/promises';
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { buildActivities } from '../activities';
import { parkingSinks } from '../activities/administration/operations/parking.sinks';
import { providersConfig } from '../activities/providers/config';
import { drivers } from '../activities/providers/drivers';
import { guardAuditKeys } from '../db/administration/audit/audit-keys.reads';
import { reopeningConnection } from '../db/program/temporal/connection';
import { onceServing, StartStopped } from '../db/program/temporal/once-serving';
import { databaseConfig } from '../db/sql/config';
import { temporalServer, type TemporalServer } from '../db/sql/environment/temporal';
import { configurationFault } from '../db/sql/environment/variables';
import { connect, connectForLongWork } from '../db/sql/connection';
import { policyConfig } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import { bundlePaths } from './bundle';
import { checkHourly } from './checks/check-hourly';
import { workerConfig, type WorkerConfig } from './config';
import { serveHealth } from './observe/health';
import { createLog, temporalLogger } from './observe/log';
import { workerMetrics } from './observe/metrics';
import { callLimits } from './limits';
import { prepareTemporal } from './prepare';
import { startProcesses } from './start';
import type { WorkerTracing } from './observe/tracing';
import { keepNoPromiseStacks } from './promise-stacks';
import { createWorkers } from './workers';

const NATIVE_ATTEMPTS = 10;

/**
 * Serves queues until the signal fires; then finishes running activities and leaves the rest to other workers. Temporal
 * may start later: until then the process is not ready.
 */
async function main(stopping: AbortSignal): Promise<void> {
  const config = workerConfig();
  const log = createLog(config.LOG_LEVEL);
  installRuntime(config, log);
  const tracing = await tracingOf(config, log);
  const { db, longDb, databaseUrl } = openPools(config, tracing);
  await guardAuditKeys(db, log, fail);
  const codePath = bundlePaths[tracing ? 'traced' : 'plain'];
  await access(codePath);
  const { TEMPORAL_NAMESPACE: namespace, WORKER_QUEUES: queues } = config;
  const server = temporalServer(config);
  const connection = reopeningConnection(server);
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: tracing ? [tracing.client] : [] },
  });
  let workers: Worker[] = [];
  const isReady = (): boolean =>
    workers.length > 0 && workers.every((worker) => worker.getState() === 'RUNNING');
  const listening = { host: config.METRICS_HOST, port: config.WORKER_HEALTH_PORT };
  const health = await serveHealth(listening, isReady, workerMetrics({ db, client }));
  const start = startProcesses(client);
  const native = await connectPrepared({ connection, client, start, queues, log }, server, stopping);

  if (!config.WORKER_PROMISE_STACKS) keepNoPromiseStacks();
  workers = await createWorkers({
    connection: native,
    namespace,
    queues,
    poolMax: config.WORKER_POOL_MAX,
    eventConcurrency: policyConfig().eventConcurrency,
    callLimits: callLimits(config, drivers),
    workflowBundle: { codePath },
    tracing,
    sinks: parkingSinks(db),
    activities: buildActivities({
      db,
      longDb,
      databaseUrl,
      start,
      checkProcesses: (check) => checkHourly({ client, db: longDb, log }, check),
      config: providersConfig(),
      policy: policyConfig(),
    }),
  });
  if (stopping.aborted) throw new StartStopped();
  log.info({ queues }, 'working');
  await Promise.all(workers.map((worker) => worker.run()));
  log.info('stopped');
  health.close();
  await native.close();
  await connection.close();
  await db.sequelize.close();
  await longDb.sequelize.close();
  await tracing?.stop();
}

/** Routes the SDK's log and metrics to ours. Must run before anything else of the SDK. */
function installRuntime({ METRICS_HOST: host, WORKER_METRICS_PORT: port }: WorkerConfig, log: Logger): void {
  Runtime.install({
    logger: temporalLogger(log),
    telemetryOptions: {
      logging: { forward: {} },
      metrics: {
        prometheus: {
          bindAddress: addressOf(host, port),
          useSecondsForDurations: true,
          countersTotalSuffix: true,
          unitSuffix: true,
        },
      },
    },
  });
}

/** `host:port`, with an IPv6 host in brackets. */
const addressOf = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Opens the connection pool of the steps and a small one for long work. */
function openPools(
  config: WorkerConfig,
  tracing: WorkerTracing | null,
): { db: Db; longDb: Db; databaseUrl: string } {
  const database = databaseConfig();
  const { SEALING_KEYS: keys } = config;
  const stepOptions = {
    ...database,
    DATABASE_POOL_MAX: config.WORKER_POOL_MAX,
    DATABASE_STATEMENT_TIMEOUT_MS: config.WORKER_STATEMENT_TIMEOUT_MS,
  };
  return {
    db: connect(stepOptions, 'worker', tracing?.watch, {
      keys,
      lockTimeoutMs: config.WORKER_LOCK_TIMEOUT_MS,
    }),
    longDb: connectForLongWork(database, 'worker-long', tracing?.watch, { keys }),
    databaseUrl: database.DATABASE_URL,
  };
}

/** Loads OpenTelemetry only if traces have a destination. */
async function tracingOf(config: WorkerConfig, log: Logger): Promise<WorkerTracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { traceWorker } = await import('./observe/tracing.js');
  return traceWorker(config.OTEL_EXPORTER_OTLP_ENDPOINT, (problem) => log.warn({ problem }, 'traces'));
}

/** The connection for workers, once Temporal is prepared for them. */
async function connectPrepared(
  preparing: Parameters<typeof prepareTemporal>[0] & { log: Logger },
  server: TemporalServer,
  signal: AbortSignal,
): Promise<NativeConnection> {
  const { log } = preparing;
  await onceServing(() => prepareTemporal(preparing), { log, signal });
  // An error of this connection has no code. Temporal has just served the other one under the same settings, so that only
  // a fault that is its own, such as a certificate that it alone refuses, outlasts a few attempts.
  let attempts = 0;
  const isTemporary = (error: unknown) =>
    error instanceof Error && error.name === 'TransportError' && ++attempts < NATIVE_ATTEMPTS;
  return onceServing(() => NativeConnection.connect(server), { log, signal, isTemporary });
}

function fail(error: unknown): void {
  if (error instanceof StartStopped) process.exit();
  const fault = configurationFault(error);
  if (fault !== null) process.stderr.write(`The worker cannot start. ${fault}\n`);
  else createLog('error').fatal({ err: error }, 'the worker could not start or broke down');
  process.exitCode = 1;
  process.exit();
}

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

main(stopping.signal).catch(fail);
