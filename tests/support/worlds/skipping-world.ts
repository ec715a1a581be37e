import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Processes } from '../../../api/http/temporal/temporal';
import type { Db } from '../../../db/sql/query';
import { endingRetries } from '../../../db/program/temporal/ending-retries';
import { registerSearchAttributes } from '../../../db/program/temporal/search-attributes';
import type { Queue } from '../../../workflows/kit/queues';
import { createDatabase } from '../servers/database';
import { Cleanup } from '../run/cleanup';
import { provided } from '../run/provided';
import { quietRuntime } from '../servers/quiet-runtime';
import { connectSkipping, startTestServer } from '../servers/test-server';
import { testVariables, type Variables } from './variables';
import { checkInvariants, owned } from './owned';
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
    const server = await startTestServer(provided('TEST_SERVER_PATH'));
    cleanup.add(server.stop);
    const environment = await connectSkipping(server.address);
    cleanup.add(() => environment.teardown());
    cleanup.add(ownRetries(environment.connection));
    const { client, nativeConnection: connection } = environment;
    await registerSearchAttributes(environment.connection, client.options.namespace);
    const { db, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const all = { ...testVariables, ...variables };
    cleanup.add(await startWork({ db, databaseUrl, client, connection, variables: all, fakes, queues }));
    const processes = new Processes(client);
    cleanup.add(() => processes.idle());
    return {
      db,
      temporal: client,
      processes,
      sleep: (duration) => environment.sleep(duration),
      now: async () => new Date(await environment.currentTimeMs()),
      teardown: () => cleanup.run(),
    };
  });
}

/** A world for the calling test file, or describe; call it at the top level. */
export const ownSkippingWorld = (options?: Options): SkippingWorld =>
  owned(() => startSkippingWorld(options));

/** Like `ownSkippingWorld`; every invariant is checked before it ends. */
export const ownCheckedSkippingWorld = (options?: Options): SkippingWorld =>
  owned(() => startSkippingWorld(options), checkInvariants);

/** Replaces the retries of a connection that the SDK has opened; the answer ends them. */
function ownRetries({ options }: TestWorkflowEnvironment['connection']): () => Promise<void> {
  const { interceptors, end } = endingRetries();
  options.interceptors.splice(0, Infinity, ...interceptors);
  return end;
}
