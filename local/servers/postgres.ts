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
  /** Holds one cluster; made if it isn't there. The caller sees to it that nobody else uses it. */
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

const user = 'postgres';
const readyWithinMs = 60_000;
/** Backends of a killed server hold its memory for a moment, and the next one refuses until they have gone. */
const memoryHeld = /shared memory block/;
const memoryTries = 20;
const memoryWaitMs = 500;

const notYet = new Set(['ECONNREFUSED', 'ECONNRESET', '57P03']);

/** Whether the server takes SQL. Rejects with its reason while it doesn't. */
export const answersSql = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const ensureDatabase = async (connectionString: string, database: string): Promise<void> => {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
};

/** Waits for SQL, and tells a refused password from a server that is still starting. */
const waitForSql = async (running: Running, adminUrl: string, signal?: AbortSignal): Promise<void> => {
  let refused: unknown;
  const isReady = async () => {
    try {
      return await answersSql(adminUrl);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || notYet.has(code)) throw error;
      refused = error;
      return true;
    }
  };
  await waitUntilReady({ name: 'PostgreSQL', running, isReady, withinMs: readyWithinMs, signal });
  if (refused === undefined) return;
  throw new Error(
    `PostgreSQL refused the connection: ${messageOf(refused)}. If secrets.json was replaced, put the earlier one ` +
      'back, or erase all data with `npm run reset`.',
    { cause: refused },
  );
};

const startServer = async (options: PostgresOptions & { port: number }): Promise<Running> => {
  const { dataDir, port, log, password = user, settings = {}, output } = options;
  const account = await postgresAccount(log);
  const { initdb, postgres } = await postgresBinaries(account, log);
  await ensureCluster({ initdb, dataDir, user, password, account });
  await clearLeftover(dataDir, log);
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
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
};

/**
 * Brings up PostgreSQL from the package's own programs on 127.0.0.1, and answers once it takes SQL. As root it runs
 * under the `postgres` account. Throws, with nothing left running, when it can't: the message says what to do.
 */
export const startPostgres = async (options: PostgresOptions): Promise<RunningPostgres> =>
  options.port === undefined
    ? onFreePort((port) => startPostgresAt(port, options))
    : startPostgresAt(options.port, options);

const startPostgresAt = async (port: number, options: PostgresOptions): Promise<RunningPostgres> => {
  const { password = user, database = 'marketplace' } = options;
  const address = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${String(port)}`;
  for (let attempt = 1; ; attempt += 1) {
    const running = await startServer({ ...options, port });
    try {
      await waitForSql(running, `${address}/postgres`, options.signal);
      await ensureDatabase(`${address}/postgres`, database);
      return { ...running, url: `${address}/${database}`, port };
    } catch (error) {
      await running.stop();
      const isHeld = memoryHeld.test(messageOf(error));
      if (!isHeld || attempt === memoryTries) throw error;
      await delay(memoryWaitMs);
    }
  }
};
