import type { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { buildActivities } from '../../../activities';
import { parkingSinks } from '../../../activities/administration/operations/parking.sinks';
import { connectForLongWork } from '../../../db/sql/connection';
import { policyFrom } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { checkHourly } from '../../../workers/checks/check-hourly';
import { startProcesses } from '../../../workers/start';
import { QUEUES } from '../../../workers/queues';
import { createWorkers } from '../../../workers/workers';
import type { Queue } from '../../../workflows/kit/queues';
import { workflowBundle } from '../run/bundle';
import { providersConfigOf, workersWith, type AddedProvider } from './providers';
import type { Variables } from './variables';

export type Activities = ReturnType<typeof buildActivities>;

/** Replaces some activities and may call the real ones: `(real) => ({ refund: failOnce(real.refund) })`. */
export type Fakes = (real: Activities) => Partial<Activities>;

interface Workplace {
  db: Db;
  databaseUrl: string;
  client: Client;
  connection: NativeConnection;
  variables: Variables;
  fakes?: Fakes | undefined;
  added?: AddedProvider | undefined;
  /** By default every queue. */
  queues?: readonly Queue[] | undefined;
}

/** Runs workers with the real activities; answers the function that stops them after their running tasks. */
export async function startWork(workplace: Workplace): Promise<() => Promise<void>> {
  const { db, databaseUrl, client, connection, variables, fakes, added } = workplace;
  const more = added && workersWith(added, variables);
  const longDb = connectForLongWork({ DATABASE_URL: databaseUrl }, 'test-long', undefined, {
    ...(db.keys && { keys: db.keys }),
  });
  const policy = policyFrom(variables);
  const real = buildActivities({
    db,
    longDb,
    databaseUrl,
    start: startProcesses(client),
    checkProcesses: (check) => checkHourly({ client, db: longDb, log: pino({ level: 'silent' }) }, check),
    config: providersConfigOf(variables),
    policy,
    ...more,
  });
  const workers = await createWorkers({
    connection,
    namespace: client.options.namespace,
    queues: workplace.queues ?? more?.queues ?? QUEUES,
    poolMax: 40,
    eventConcurrency: policy.eventConcurrency,
    callLimits: {},
    workflowBundle: workflowBundle(),
    activities: { ...real, ...fakes?.(real) },
    sinks: parkingSinks(db),
  });
  const ends = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await ends;
    await longDb.sequelize.close();
  };
}
