import type { Client } from '@temporalio/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import supertest from 'supertest';
import { createApp } from '../../../api/app';
import { ApiConfig } from '../../../api/config';
import { createLogger } from '../../../api/http/observe/log';
import type { Metrics } from '../../../api/http/observe/metrics';
import { serve } from '../../../api/http/serve';
import { Processes } from '../../../api/http/temporal/temporal';
import { policyFrom } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { onFreePort } from '../../../local/machine/ports';
import type { Queue } from '../../../workflows/kit/queues';
import { createDatabase } from '../servers/database';
import { Cleanup } from '../run/cleanup';
import { connectTemporal } from '../servers/temporal';
import { typescriptArgv } from '../run/typescript-argv';
import { intakesWith, type AddedProvider } from './providers';
import { setVariables, usualWith, type Variables } from './variables';
import { checkInvariants, owned } from './owned';
import { startWork, type Fakes } from './work';

/** The whole platform for one test file: its own database and namespace, a worker, and the API on a real port. */
export interface World {
  /** Address of the API, such as http://127.0.0.1:41234; endpoints are under /api/v1. */
  readonly url: string;
  /** Sends requests: `world.http.get('/api/v1/products')`. */
  readonly http: ReturnType<typeof supertest>;
  readonly db: Db;
  /** The same database as its owner, for tests that change the schema or bypass its guards. */
  readonly owner: Db;
  readonly databaseUrl: string;
  readonly temporal: Client;
  readonly processes: Processes;
  /** The API's metrics. */
  readonly metrics: Metrics;
  /** Folder to which the `file` drivers of mail and SMS write. */
  readonly mailDir: string;
  /** Folder of blobs. */
  readonly blobDir: string;
  /** Starts workers for the queues; no-op if they run. */
  work: () => Promise<void>;
  /** Stops the workers, as when every worker is down. */
  rest: () => Promise<void>;
  /** Ends everything; await it in `afterAll`. */
  teardown: () => Promise<void>;
}

export interface WorldOptions {
  /** False: no worker runs until `world.work()`. */
  worker?: boolean;
  /** Variables that differ from the usual ones, such as `{ RATE_LIMIT_SCALE: '1' }`. */
  variables?: Variables;
  fakes?: Fakes;
  /** Receives each line of the API's log. */
  lines?: string[];
  /** The queues that have a worker; by default all. */
  queues?: readonly Queue[];
  /** A provider of payments besides those of this release. */
  added?: AddedProvider;
}

const DRAIN_MS = 5_000;

export const startWorld = (options: WorldOptions = {}): Promise<World> =>
  onFreePort((port) => startWorldAt(port, options));

/** A world for the calling test file, or describe; call it at the top level. */
export const ownWorld = (options?: WorldOptions): World => owned(() => startWorld(options));

/** Like `ownWorld`; every invariant is checked before it ends. */
export const ownCheckedWorld = (options?: WorldOptions): World =>
  owned(() => startWorld(options), checkInvariants);

async function startWorldAt(
  port: number,
  { worker = true, variables = {}, fakes, lines, queues, added }: WorldOptions,
): Promise<World> {
  const cleanup = new Cleanup();
  return cleanup.guard(async () => {
    const { db, owner, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const { client, nativeConnection: connection, close } = await connectTemporal();
    cleanup.add(close);
    const mailDir = await mkdtemp(join(tmpdir(), 'mail-'));
    cleanup.add(() => rm(mailDir, { recursive: true, force: true }));
    const blobDir = await mkdtemp(join(tmpdir(), 'blobs-'));
    cleanup.add(() => rm(blobDir, { recursive: true, force: true }));
    const url = `http://127.0.0.1:${port}`;
    const all = usualWith({ PUBLIC_URL: url, MAIL_DIR: mailDir, BLOB_DIR: blobDir, ...variables });
    setVariables(all);

    let stopWork: (() => Promise<void>) | undefined;
    const work = async () => {
      const workplace = { db, databaseUrl, client, connection, variables: all };
      stopWork ??= await startWork({ ...workplace, fakes, queues, added });
    };
    const rest = async () => {
      await stopWork?.();
      stopWork = undefined;
    };
    cleanup.add(rest);
    if (worker) await work();

    const processes = new Processes(client);
    const config = ApiConfig.parse(all);
    const log = lines
      ? createLogger('info', { write: (line) => void lines.push(line) })
      : pino({ level: config.LOG_LEVEL });
    const {
      app,
      metrics,
      close: closeApp,
    } = createApp({
      config,
      policy: policyFrom(all),
      db,
      databaseUrl,
      processes,
      log,
      decoderArgv: typescriptArgv,
      ...(added && { paymentIntake: intakesWith(added, all) }),
    });
    cleanup.add(closeApp);
    const { drain } = await serve(app, port);
    cleanup.add(
      () => processes.idle(),
      () => drain(DRAIN_MS),
    );
    const http = supertest(url);
    const teardown = () => cleanup.run();
    return {
      url,
      http,
      db,
      owner,
      databaseUrl,
      temporal: client,
      processes,
      metrics,
      mailDir,
      blobDir,
      work,
      rest,
      teardown,
    };
  });
}
