import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../db/program/temporal/search-attributes';
import type { TemporalServer } from '../../db/sql/environment/temporal';
import { waitUntilReady } from '../gate';
import type { Log } from '../logs/log';
import { onFreePort } from '../machine/ports';
import { spawnChild, type Output, type Running } from '../processes/child';

export interface TemporalOptions {
  /** The command-line program, from resolveTemporalCli. */
  cli: string;
  /** Default: one that is free. */
  port?: number;
  /** Without it there is no web interface. */
  uiPort?: number;
  httpPort?: number;
  metricsPort?: number;
  /** Settings of the server in addition to `DYNAMIC_CONFIG`. */
  settings?: Readonly<Record<string, number | boolean>>;
  /** The file of the state; without it, the state is in memory only. */
  dbFile?: string;
  log: Log;
  /** Takes the server's own log. */
  output?: Output;
  /** Gives up early when it fires. */
  signal?: AbortSignal;
}

export interface RunningTemporal extends Running {
  /** host:port of the frontend. */
  address: string;
}

/** Settings for latency. Measured: with the defaults each hop waits up to 50 ms, the end of a burst 2 s. */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'system.enableActivityEagerExecution': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;

const READY_WITHIN_MS = 60_000;
const HOST = '127.0.0.1';
/** The one that a development server always has. */
const NAMESPACE = 'default';

const repeated = (flag: string, pairs: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(pairs).flatMap(([key, value]) => [flag, `${key}=${value}`]);

function serverArgs(options: TemporalOptions & { port: number }): string[] {
  const { port, uiPort, httpPort, metricsPort, dbFile } = options;
  const optional = (flag: string, value: number | undefined) =>
    value === undefined ? [] : [flag, String(value)];
  const database =
    dbFile === undefined
      ? []
      : [
          '--db-filename',
          dbFile,
          ...repeated('--sqlite-pragma', { journal_mode: 'wal', synchronous: 'normal' }),
        ];
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--log-level', 'warn'],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...optional('--http-port', httpPort),
    ...optional('--metrics-port', metricsPort),
    ...database,
    ...repeated('--dynamic-config-value', { ...DYNAMIC_CONFIG, ...options.settings }),
    ...repeated('--search-attribute', SEARCH_ATTRIBUTES),
  ];
}

/** The search attributes that a serving frontend's namespace lacks. Rejects while it doesn't serve. */
export async function missingSearchAttributes(address: string, namespace: string): Promise<string[]> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.keys(SEARCH_ATTRIBUTES).filter((name) => !Object.hasOwn(customAttributes, name));
  } finally {
    await connection.close();
  }
}

const ANSWER_WITHIN_MS = 5_000;

/** Rejects unless the server, which may be another's, serves the namespace. The reason names what is wrong with TLS. */
export async function requireNamespace(server: TemporalServer, namespace: string): Promise<void> {
  // The SDK's retries would hide the reason behind a deadline.
  const connection = Connection.lazy({ ...server, interceptors: [] });
  try {
    await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}

/** Brings up Temporal's development server on 127.0.0.1, and returns once it serves. Throws when it can't. */
export const startTemporal = async (options: TemporalOptions): Promise<RunningTemporal> =>
  options.port === undefined
    ? onFreePort((port) => startTemporalAt(port, options))
    : startTemporalAt(options.port, options);

async function startTemporalAt(port: number, options: TemporalOptions): Promise<RunningTemporal> {
  const address = `${HOST}:${port}`;
  const running = await spawnChild({
    name: 'Temporal',
    command: options.cli,
    args: serverArgs({ ...options, port }),
    // Nothing of ours: the program reads TEMPORAL_… variables that mean something else to it.
    env: {},
    output: options.output,
  });
  try {
    const isReady = async () => (await missingSearchAttributes(address, NAMESPACE)).length === 0;
    await waitUntilReady({
      name: 'Temporal',
      running,
      isReady,
      withinMs: READY_WITHIN_MS,
      signal: options.signal,
    });
    return { ...running, address };
  } catch (error) {
    await running.stop();
    throw error;
  }
}
