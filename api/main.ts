import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { guardAuditKeys } from '../db/administration/audit/audit-keys.reads';
import { databaseConfig } from '../db/sql/config';
import { temporalServer } from '../db/sql/environment/temporal';
import { configurationFault } from '../db/sql/environment/variables';
import { connect } from '../db/sql/connection';
import { policyConfig } from '../db/policy/config';
import { guardAdministrators } from './administrator-guard';
import { createApp } from './app';
import { apiConfig, type ApiConfig } from './config';
import { createLogger } from './http/observe/log';
import { serve } from './http/serve';
import type { RequestTracing } from './http/observe/tracing';
import { Processes } from './http/temporal/temporal';
import { registerAttributes } from './http/temporal/register-attributes';
import { temporalClient, temporalConnection } from './http/temporal/temporal-connection';

/**
 * Serves until SIGTERM or SIGINT. The database and Temporal may start later: until then, requests that need them are
 * answered with 503, and the process is not ready.
 */
async function main(): Promise<void> {
  const config = apiConfig();
  const log = createLogger(config.LOG_LEVEL);
  const tracing = await tracingOf(config, log);
  const database = databaseConfig();
  const db = connect(database, 'api', tracing?.watch, { keys: config.SEALING_KEYS });
  const connection = temporalConnection(temporalServer(config), (cause) =>
    log.warn({ cause }, 'Temporal met a limit'),
  );
  const client = temporalClient(connection, config.TEMPORAL_NAMESPACE, tracing ? [tracing.client] : []);
  const processes = new Processes(client);
  const { app, metrics, health, close } = createApp({
    config,
    policy: policyConfig(),
    db,
    databaseUrl: database.DATABASE_URL,
    processes,
    log,
    trace: tracing?.handler,
  });
  health.registering = true;
  await guardAuditKeys(db, log, fail);
  if (config.NODE_ENV === 'production') await guardAdministrators(db, log, fail);
  const measuring = await serve(metrics.page, config.METRICS_PORT, config.METRICS_HOST);
  const serving = await serve(app, config.PORT, config.HOST);
  log.info({ port: serving.port, metricsPort: measuring.port }, 'listening');

  const stopping = new AbortController();
  const registration = { health, signal: stopping.signal };
  const registering = registerAttributes(connection, config.TEMPORAL_NAMESPACE, registration, log).catch(
    (error: unknown) => {
      if (!health.stopping) fail(error);
    },
  );

  const stop = async (signal: NodeJS.Signals) => {
    if (health.stopping) return;
    health.stopping = true;
    stopping.abort();
    log.info({ signal }, 'stopping');
    await pause(config.DRAIN_DELAY_MS);
    await serving.drain();
    await measuring.drain();
    await close();
    await processes.idle();
    await registering;
    await connection.close();
    await db.sequelize.close();
    await tracing?.stop();
    log.info('stopped');
    process.exit(0);
  };
  const stopOn = (signal: NodeJS.Signals) => void stop(signal).catch(fail);
  process.on('SIGTERM', stopOn);
  process.on('SIGINT', stopOn);
}

/** Loads OpenTelemetry only if traces have a destination. */
async function tracingOf(config: ApiConfig, log: Logger): Promise<RequestTracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { traceRequests } = await import('./http/observe/tracing.js');
  return traceRequests(config.OTEL_EXPORTER_OTLP_ENDPOINT, (problem) => log.warn({ problem }, 'traces'));
}

function fail(error: unknown): void {
  const fault = configurationFault(error);
  if (fault !== null) process.stderr.write(`The API cannot start. ${fault}\n`);
  else createLogger('fatal').fatal({ err: error }, 'the API ends');
  process.exit(1);
}

main().catch(fail);
