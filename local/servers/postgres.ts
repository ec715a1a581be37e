import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { postgresAccount } from '../cluster/account';
import { postgresBinaries } from '../cluster/binaries';
import { ensureCluster } from '../cluster/initialise';
import { clearLeftover } from '../cluster/leftover';
import { codeOf, messageOf } from '../failure';
import { waitUntilReady } from '../gate';
import type { Log } from '../logs/log';
import { onFreePort } from '../machine/ports';
import { spawnChild, type Output, type Running } from '../processes/child';

export interface PostgresOptions {
  /** Holds one cluster; made if it isn't there. The caller ensures that nothing else uses it. */
  dataDir: string;
  /** Default: one that is free. */
  port?: number;
  log: Log;
  /** Used when the cluster is made, and for connecting. */
  password?: string;
  /** Made if it isn't there; the one that `url` names. */
  database?: string;
  /** Server settings beyond the local defaults, such as `{ fsync: 'off', max_connections: 200 }` for tests. */
  settings?: Record<string, string | number>;
  /** Takes the server's own log. */
  output?: Output;
  /** Gives up early when it fires. */
  signal?: AbortSignal;
}

export interface RunningPostgres extends Running {
  /** Superuser's address of the database. */
  url: string;
  port: number;
}

const USER = 'postgres';
const READY_WITHIN_MS = 60_000;
/** The error of a start while backends of a killed server still hold its shared memory. */
const MEMORY_HELD = /shared memory block/;
const MEMORY_TRIES = 20;
const MEMORY_WAIT_MS = 500;

const STILL_STARTING = new Set(['ECONNREFUSED', 'ECONNRESET', '57P03']);

/** Resolves true after a first query; rejects with the connection error before. */
export async function isAcceptingQueries(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(connectionString: string, database: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

/** Waits for SQL. A refused password ends the wait; a server that is still starting does not. */
async function waitForSql(running: Running, adminUrl: string, signal?: AbortSignal): Promise<void> {
  let refused: unknown;
  const isReady = async () => {
    try {
      return await isAcceptingQueries(adminUrl);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || STILL_STARTING.has(code)) throw error;
      refused = error;
      return true;
    }
  };
  await waitUntilReady({ name: 'PostgreSQL', running, isReady, withinMs: READY_WITHIN_MS, signal });
  if (refused === undefined) return;
  throw new Error(
    `PostgreSQL refused the connection: ${messageOf(refused)}. If secrets.json was replaced, put the earlier one ` +
      'back, or erase all data with `npm run reset`.',
    { cause: refused },
  );
}

/** Keeps the values of rows and statements, such as e-mail addresses, out of the server's log. */
const SILENT_ABOUT_VALUES = { log_error_verbosity: 'terse', log_min_error_statement: 'panic' };

async function startServer(options: PostgresOptions & { port: number }): Promise<Running> {
  const { dataDir, port, log, password = USER, settings = {}, output } = options;
  const account = await postgresAccount(log);
  const { initdb, postgres } = await postgresBinaries(account, log);
  await ensureCluster({ initdb, dataDir, user: USER, password, account });
  await clearLeftover(dataDir, log);
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...SILENT_ABOUT_VALUES,
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawnChild({
    name: 'PostgreSQL',
    command: postgres,
    args: ['-D', dataDir, '-p', String(port), ...flags],
    env: { PATH: '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' },
    cwd: '/',
    account,
    // A fast stop: open sessions are ended, and what was committed is kept.
    stopSignal: 'SIGINT',
    graceMs: 30_000,
    output,
  });
}

/**
 * Brings up PostgreSQL from the package's own programs on 127.0.0.1, and answers once it takes SQL. As root it runs
 * under the `postgres` account. Throws, with nothing left running, when it can't: the message says what to do.
 */
export const startPostgres = async (options: PostgresOptions): Promise<RunningPostgres> =>
  options.port === undefined
    ? onFreePort((port) => startPostgresAt(port, options))
    : startPostgresAt(options.port, options);

async function startPostgresAt(port: number, options: PostgresOptions): Promise<RunningPostgres> {
  const { password = USER, database = 'marketplace' } = options;
  const address = `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  for (let attempt = 1; ; attempt += 1) {
    const running = await startServer({ ...options, port });
    try {
      await waitForSql(running, `${address}/postgres`, options.signal);
      await ensureDatabase(`${address}/postgres`, database);
      return { ...running, url: `${address}/${database}`, port };
    } catch (error) {
      await running.stop();
      const isHeld = MEMORY_HELD.test(messageOf(error));
      if (!isHeld || attempt === MEMORY_TRIES) throw error;
      await delay(MEMORY_WAIT_MS);
    }
  }
}
