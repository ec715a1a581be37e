import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import supertest from 'supertest';
import type { Db } from '../../../db/sql/query';
import { freePort } from '../../../local/machine/ports';
import { createDatabase } from '../servers/database';
import { Cleanup } from '../run/cleanup';
import { eventually } from '../checks/eventually';
import { connectTemporal } from '../servers/temporal';
import { owned } from './owned';
import { testVariables, type Variables } from './variables';

const dist = resolve(__dirname, '../../../dist');

/** The platform as it is deployed: an API and a worker of the built code, each a process that can be killed. */
export interface KillingWorld {
  readonly db: Db;
  /** The same database as its owner, for tests that change the schema. */
  readonly owner: Db;
  readonly temporal: Client;
  readonly http: ReturnType<typeof supertest>;
  readonly api: Program;
  readonly worker: Program;
  /** Address of the worker's health checks and metrics. */
  readonly workerUrl: string;
  teardown: () => Promise<void>;
}

/** A program of ours: starting waits until it is ready, killing is SIGKILL without a warning. */
export class Program {
  private child: ChildProcess | undefined;

  constructor(
    private readonly file: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly readyUrl: string,
    private readonly logFile?: string,
  ) {}

  /** Starts it without waiting for anything. */
  async launch(): Promise<ChildProcess> {
    const log = this.logFile === undefined ? undefined : await open(this.logFile, 'a');
    const output = log?.fd ?? 'ignore';
    const stdio: StdioOptions = ['ignore', output, output];
    const child = spawn(process.execPath, [join(dist, this.file)], { env: this.env, stdio });
    await log?.close();
    this.child = child;
    return child;
  }

  async start(): Promise<void> {
    const child = await this.launch();
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`${this.file} ended with ${child.exitCode}`);
      const answer = await fetch(this.readyUrl);
      if (!answer.ok) throw new Error(`${this.file} is not ready: ${answer.status}`);
    });
  }

  /** The process id of the last start. Throws if it was never started. */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.file} was never started.`);
    return this.child.pid;
  }

  /** Waits until it ends; answers its exit code and the signal that ended it. */
  async exit(): Promise<[number | null, NodeJS.Signals | null]> {
    const { child } = this;
    if (!child) throw new Error(`${this.file} was never started.`);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return [child.exitCode, child.signalCode];
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}

interface KillingWorldOptions {
  /** Variables that differ from the usual ones. */
  variables?: Variables;
  /** Folder of `api.log` and `worker.log`; without it they are not written. */
  logDir?: string;
  /** A Temporal server other than the run's. */
  temporalAddress?: string;
}

/** A world for the calling test file, or describe; call it at the top level. */
export const ownKillingWorld = (options?: KillingWorldOptions): KillingWorld =>
  owned(() => startKillingWorld(options));

export function startKillingWorld({
  variables = {},
  logDir,
  temporalAddress,
}: KillingWorldOptions = {}): Promise<KillingWorld> {
  const cleanup = new Cleanup();
  return cleanup.guard(async () => {
    const { db, owner, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const temporal = await connectTemporal(temporalAddress);
    cleanup.add(temporal.close);
    const { api, worker, apiUrl, workerUrl } = await programs({
      variables: {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        ...variables,
      },
      logDir,
      cleanup,
    });
    await Promise.all([worker.start(), api.start()]);
    return {
      db,
      owner,
      temporal: temporal.client,
      http: supertest(apiUrl),
      api,
      worker,
      workerUrl,
      teardown: () => cleanup.run(),
    };
  });
}

interface Programs {
  api: Program;
  worker: Program;
  apiUrl: string;
  workerUrl: string;
}

/** An API and a worker with ports of their own, not started yet. They are killed by the cleanup. */
export async function programs({
  variables,
  logDir,
  cleanup,
}: {
  variables: Variables;
  logDir?: string | undefined;
  cleanup: Cleanup;
}): Promise<Programs> {
  const mailDir = await mkdtemp(join(tmpdir(), 'mail-'));
  cleanup.add(() => rm(mailDir, { recursive: true, force: true }));
  const port = await freePort();
  const healthPort = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const workerUrl = `http://127.0.0.1:${healthPort}`;
  const env = {
    PATH: process.env['PATH'],
    ...testVariables,
    MAIL_DIR: mailDir,
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    WORKER_METRICS_PORT: String(await freePort()),
    WORKER_HEALTH_PORT: String(healthPort),
    PUBLIC_URL: apiUrl,
    ...variables,
  };
  const logOf = (part: string) => (logDir === undefined ? undefined : join(logDir, `${part}.log`));
  const api = new Program('api/main.js', env, `${apiUrl}/health/ready`, logOf('api'));
  const worker = new Program('workers/main.js', env, `${workerUrl}/health/ready`, logOf('worker'));
  cleanup.add(
    () => worker.kill(),
    () => api.kill(),
  );
  return { api, worker, apiUrl, workerUrl };
}
