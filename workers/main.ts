import { access } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { buildActivities } from '../activities';
import { startConsumers } from '../activities/administration/domain-event/start-forgotten';
import { parkingSinks } from '../activities/administration/operations/parking.sinks';
import { providersConfig } from '../activities/providers/config';
import { drivers } from '../activities/providers/drivers';
import { guardAuditKeys } from '../db/administration/audit/audit-keys.reads';
import { databaseConfig } from '../db/sql/config';
import { configurationFault } from '../db/sql/environment/variables';
import { connect, connectForLongWork } from '../db/sql/connection';
import { policyConfig } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import { registerSearchAttributes } from '../workflows/kit/search-attributes';
import { outboxSenderProcess } from '../workflows/administration/outbox/outbox-sender.contract';
import { bundlePaths } from './bundle';
import { checkHourly } from './checks/check-hourly';
import { workerConfig, type WorkerConfig } from './config';
import { temporalServer } from '../db/sql/environment/temporal';
import { serveHealth } from './observe/health';
import { createLog, temporalLogger } from './observe/log';
import { workerMetrics } from './observe/metrics';
import { callLimits } from './limits';
import { reconcileSchedules } from './schedules';
import { startProcesses } from './start';
import type { WorkerTracing } from './observe/tracing';
import { keepNoPromiseStacks } from './promise-stacks';
import { createWorkers } from './workers';

/** Serves queues until SIGTERM or SIGINT; then finishes running activities and leaves the rest to other workers. */
async function main(): Promise<void> {
  const config = workerConfig();
  const { METRICS_HOST: host } = config;
  const log = createLog(config.LOG_LEVEL);
  installRuntime(config, log);
  const tracing = await tracingOf(config, log);
  const { db, longDb, databaseUrl } = openPools(config, tracing);
  await guardAuditKeys(db, log, fail);
  const codePath = bundlePaths[tracing ? 'traced' : 'plain'];
  await access(codePath);
  const namespace = config.TEMPORAL_NAMESPACE;
  const server = temporalServer(config);
  const connection = await Connection.connect(server);
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: tracing ? [tracing.client] : [] },
  });
  await registerSearchAttributes(connection, namespace);

  if (!config.WORKER_PROMISE_STACKS) keepNoPromiseStacks();
  const native = await NativeConnection.connect(server);
  const start = startProcesses(client);
  const workers = await createWorkers({
    connection: native,
    namespace,
    queues: config.WORKER_QUEUES,
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
  if ((await reconcileSchedules(client)) === 'newer')
    log.warn('a newer worker has set up the schedules; they stay as they are');
  if (config.WORKER_QUEUES.includes('providers:mail')) await start(outboxSenderProcess, {});
  if (config.WORKER_QUEUES.includes('batch')) await startConsumers(start);

  const isReady = (): boolean => workers.every((worker) => worker.getState() === 'RUNNING');
  const listening = { host, port: config.WORKER_HEALTH_PORT };
  const health = await serveHealth(listening, isReady, workerMetrics({ db, client }));
  log.info({ queues: config.WORKER_QUEUES }, 'working');
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

function fail(error: unknown): void {
  const fault = configurationFault(error);
  if (fault !== null) process.stderr.write(`The worker cannot start. ${fault}\n`);
  else createLog('error').fatal({ err: error }, 'the worker could not start or broke down');
  process.exitCode = 1;
  process.exit();
}

main().catch(fail);
