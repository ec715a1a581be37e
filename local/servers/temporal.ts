import { Connection } from '@temporalio/client';
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
  /** Settings of the server beside `dynamicConfig`. */
  settings?: Readonly<Record<string, number | boolean>>;
  /** Where the state is kept; without it, in memory only. */
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

/** What processes are found by in the web interface; values are ids, never personal data. */
export const searchAttributes = {
  EntityId: 'Keyword',
  UserId: 'Keyword',
  Area: 'Keyword',
  Stage: 'Keyword',
  NeedsAttention: 'Bool',
} as const;

/** Measured: with the defaults each hop waits up to 50 ms and the last requests of a burst 2 s. */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'system.enableActivityEagerExecution': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;

const readyWithinMs = 60_000;
const host = '127.0.0.1';
/** The one that a development server always has. */
const namespace = 'default';

const repeated = (flag: string, pairs: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(pairs).flatMap(([key, value]) => [flag, `${key}=${String(value)}`]);

const serverArgs = (options: TemporalOptions & { port: number }): string[] => {
  const { port, uiPort, httpPort, metricsPort, dbFile } = options;
  const given = (flag: string, value: number | undefined) =>
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
    ...['server', 'start-dev', '--ip', host, '--port', String(port), '--log-level', 'warn'],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...given('--http-port', httpPort),
    ...given('--metrics-port', metricsPort),
    ...database,
    ...repeated('--dynamic-config-value', { ...dynamicConfig, ...options.settings }),
    ...repeated('--search-attribute', searchAttributes),
  ];
};

/** The search attributes that a serving frontend's namespace lacks. Rejects while it doesn't serve. */
export const missingSearchAttributes = async (address: string, namespace: string): Promise<string[]> => {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.keys(searchAttributes).filter((name) => !Object.hasOwn(customAttributes, name));
  } finally {
    await connection.close();
  }
};

/** Brings up Temporal's development server on 127.0.0.1, and answers once it serves. Throws when it can't. */
export const startTemporal = async (options: TemporalOptions): Promise<RunningTemporal> =>
  options.port === undefined
    ? onFreePort((port) => startTemporalAt(port, options))
    : startTemporalAt(options.port, options);

const startTemporalAt = async (port: number, options: TemporalOptions): Promise<RunningTemporal> => {
  const address = `${host}:${String(port)}`;
  const running = await spawnChild({
    name: 'Temporal',
    command: options.cli,
    args: serverArgs({ ...options, port }),
    // Nothing of ours: the program reads TEMPORAL_… variables that mean something else to it.
    env: {},
    output: options.output,
  });
  try {
    const isReady = async () => (await missingSearchAttributes(address, namespace)).length === 0;
    await waitUntilReady({
      name: 'Temporal',
      running,
      isReady,
      withinMs: readyWithinMs,
      signal: options.signal,
    });
    return { ...running, address };
  } catch (error) {
    await running.stop();
    throw error;
  }
};
