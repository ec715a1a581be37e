import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Processes } from '../../../api/http/temporal/temporal';
import type { Db } from '../../../db/sql/query';
import { registerSearchAttributes } from '../../../workflows/kit/search-attributes';
import type { Queue } from '../../../workflows/kit/queues';
import { createDatabase } from '../servers/database';
import { Cleanup } from '../run/cleanup';
import { provided } from '../run/provided';
import { quietRuntime } from '../run/quiet-runtime';
import { testVariables, type Variables } from './variables';
import { startWork, type Fakes } from './work';

/**
 * Processes on a server whose clock runs ahead to the next timer, over the file's own database. It skips only while a
 * process's `result()` or `sleep` is awaited, knows no schedules, and its one clock is shared: one test at a time.
 * Only timers skip: SQL and activities read the real time.
 */
export interface SkippingWorld {
  readonly db: Db;
  readonly temporal: Client;
  readonly processes: Processes;
  /** Lets time pass for every process, such as '30 minutes'. */
  sleep: TestWorkflowEnvironment['sleep'];
  /** The server's clock. */
  now: () => Promise<Date>;
  teardown: () => Promise<void>;
}

interface Options {
  variables?: Variables;
  fakes?: Fakes;
  /** The queues that have a worker; by default all. */
  queues?: readonly Queue[];
}

export async function startSkippingWorld({ variables, fakes, queues }: Options = {}): Promise<SkippingWorld> {
  quietRuntime();
  const cleanup = new Cleanup();
  return cleanup.guard(async () => {
    const environment = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: provided('TEST_SERVER_PATH') } },
    });
    cleanup.add(() => environment.teardown());
    const { client, nativeConnection: connection } = environment;
    await registerSearchAttributes(environment.connection, client.options.namespace);
    const { db, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const all = { ...testVariables, ...variables };
    cleanup.add(await startWork({ db, databaseUrl, client, connection, variables: all, fakes, queues }));
    return {
      db,
      temporal: client,
      processes: new Processes(client),
      sleep: (duration) => environment.sleep(duration),
      now: async () => new Date(await environment.currentTimeMs()),
      teardown: () => cleanup.run(),
    };
  });
}
