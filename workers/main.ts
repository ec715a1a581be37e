import { access } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { buildActivities } from '../activities';
import { providersConfig } from '../activities/providers/config';
import { databaseConfig } from '../db/config';
import { connect } from '../db/connection';
import { outboxSenderProcess } from '../workflows/administration/outbox-sender.contract';
import { bundlePath } from './bundle';
import { workerConfig } from './config';
import { serveHealth } from './health';
import { createLog, temporalLogger } from './log';
import { reconcileSchedules } from './schedules';
import { registerSearchAttributes } from './search-attributes';
import { startProcesses } from './start';
import { createWorkers } from './workers';

/** Serves queues until asked to stop; then finishes what it has begun and leaves the rest to others. */
async function main(): Promise<void> {
  const config = workerConfig();
  const log = createLog(config.LOG_LEVEL);
  Runtime.install({
    logger: temporalLogger(log),
    telemetryOptions: {
      metrics: {
        prometheus: { bindAddress: `0.0.0.0:${config.WORKER_METRICS_PORT}`, useSecondsForDurations: true },
      },
    },
  });
  await access(bundlePath);
  const namespace = config.TEMPORAL_NAMESPACE;
  const database = databaseConfig();
  const db = connect(database, 'worker');
  const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS });
  const client = new Client({ connection, namespace });
  await registerSearchAttributes(connection, namespace);

  const native = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  const start = startProcesses(client);
  const workers = await createWorkers({
    connection: native,
    namespace,
    queues: config.WORKER_QUEUES,
    workflowBundle: { codePath: bundlePath },
    activities: buildActivities({ db, databaseUrl: database.DATABASE_URL, start, config: providersConfig() }),
  });
  await reconcileSchedules(client);
  if (config.WORKER_QUEUES.includes('providers')) await start(outboxSenderProcess, {});

  const health = await serveHealth(config.WORKER_HEALTH_PORT, () =>
    workers.every((worker) => worker.getState() === 'RUNNING'),
  );
  log.info({ queues: config.WORKER_QUEUES }, 'working');
  await Promise.all(workers.map((worker) => worker.run()));
  log.info('stopped');
  health.close();
  await native.close();
  await connection.close();
  await db.sequelize.close();
}

main().catch((error: unknown) => {
  createLog('error').fatal({ err: error }, 'the worker could not start or broke down');
  process.exitCode = 1;
  process.exit();
});
