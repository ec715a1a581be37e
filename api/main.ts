import { Client } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseConfig } from '../db/config';
import { connect } from '../db/connection';
import { createApp } from './app';
import { apiConfig } from './config';
import { createLogger } from './http/log';
import { serve } from './http/serve';
import { Processes } from './http/temporal';
import { temporalConnection } from './http/temporal-connection';

/**
 * Serves until it is told to stop. Neither the database nor Temporal has to be there yet: both are reached for when
 * they are needed, what needs them answers 503 until then, and readiness says so.
 */
async function main(): Promise<void> {
  const config = apiConfig();
  const log = createLogger(config.LOG_LEVEL);
  const db = connect(databaseConfig(), 'api');
  const connection = temporalConnection(config.TEMPORAL_ADDRESS);
  const processes = new Processes(new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }));
  const { app, metrics, health } = createApp({ config, db, processes, log });
  const measuring = await serve(metrics.page, config.METRICS_PORT);
  const serving = await serve(app, config.PORT);
  log.info({ port: serving.port, metricsPort: measuring.port }, 'listening');

  const stop = async (signal: NodeJS.Signals) => {
    if (health.stopping) return;
    health.stopping = true;
    log.info({ signal }, 'stopping');
    await pause(config.DRAIN_DELAY_MS);
    await serving.drain();
    await measuring.drain();
    await processes.idle();
    await connection.close();
    await db.sequelize.close();
    log.info('stopped');
    process.exit(0);
  };
  const stopOn = (signal: NodeJS.Signals) => void stop(signal).catch(fail);
  process.on('SIGTERM', stopOn);
  process.on('SIGINT', stopOn);
}

function fail(error: unknown): void {
  createLogger('fatal').fatal({ err: error }, 'the API ends');
  process.exit(1);
}

main().catch(fail);
