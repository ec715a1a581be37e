import type { Account } from './cluster/account';
import type { LocalConfig } from './config';
import { postgresDir, type DataDir } from './machine/data-dir';
import { answersOk, waitUntilReady } from './gate';
import type { Log } from './logs/log';
import { isNodeError, isPostgresError, isTemporalError, type ChildLogs } from './processes/logs';
import { startPostgres } from './servers/postgres';
import { BUILT } from './machine/preflight';
import { spawnChild } from './processes/child';
import type { Part } from './processes/supervisor';
import { startTemporal } from './temporal-server/temporal';

/** The dependencies of every part. */
export interface PartDeps {
  config: LocalConfig;
  data: DataDir;
  logs: ChildLogs;
  log: Log;
}

const READY_WITHIN_MS = 90_000;
/** Time to stop: the API finishes running requests, the worker its activities. */
const DRAIN_MS = 30_000;

interface Postgres {
  port: number;
  password: string;
  account: Account | undefined;
}

/** The embedded PostgreSQL. */
export async function postgresPart(
  { data, logs, log }: PartDeps,
  { port, password, account }: Postgres,
): Promise<Part> {
  const dataDir = await postgresDir(data, account);
  if (!dataDir.startsWith(data.dir))
    log(`PostgreSQL's files are in ${dataDir}, which the postgres account can read`);
  const output = logs.outputOf('postgres', isPostgresError);
  return {
    name: 'PostgreSQL',
    start: (signal) => startPostgres({ dataDir, port, password, log, output, signal }),
  };
}

/** Temporal's development server, its state in a file. */
export function temporalPart({ config, data, logs, log }: PartDeps, cli: string): Part {
  const { TEMPORAL_HTTP_PORT: httpPort, TEMPORAL_METRICS_PORT: metricsPort } = config;
  const output = logs.outputOf('temporal', isTemporalError);
  return {
    name: 'Temporal',
    start: (signal) =>
      startTemporal({
        cli,
        port: config.TEMPORAL_PORT,
        uiPort: config.TEMPORAL_UI_PORT,
        ...(httpPort === undefined ? {} : { httpPort }),
        ...(metricsPort === undefined ? {} : { metricsPort }),
        dbFile: data.temporalDb,
        log,
        output,
        signal,
      }),
  };
}

interface Program {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  readyUrl: string;
}

/** One of our own programs, ready when its health endpoint answers 200. */
function programPart({ logs }: PartDeps, { name, file, env, readyUrl }: Program): Part {
  const output = logs.outputOf(name, isNodeError);
  return {
    name,
    start: async (signal) => {
      const running = await spawnChild({
        name,
        command: process.execPath,
        args: [file],
        env,
        graceMs: DRAIN_MS,
        output,
      });
      const isReady = () => answersOk(readyUrl);
      try {
        await waitUntilReady({ name, running, isReady, withinMs: READY_WITHIN_MS, signal });
        return running;
      } catch (error) {
        await running.stop();
        throw error;
      }
    },
  };
}

/** The address by which this machine reaches a listener; 0.0.0.0 and :: mean all addresses. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

export function workerPart(workshop: PartDeps, env: NodeJS.ProcessEnv): Part {
  const readyUrl = `http://${loopbackOf(workshop.config.METRICS_HOST)}:${workshop.config.WORKER_HEALTH_PORT}/health/ready`;
  return programPart(workshop, { name: 'worker', file: BUILT.worker, env, readyUrl });
}

export function apiPart(workshop: PartDeps, env: NodeJS.ProcessEnv): Part {
  const readyUrl = `http://${loopbackOf(workshop.config.HOST)}:${workshop.config.PORT}/health/ready`;
  return programPart(workshop, { name: 'api', file: BUILT.api, env, readyUrl });
}
