import 'reflect-metadata';
import pg from 'pg';
import { Sequelize } from 'sequelize-typescript';
import type { DatabaseConfig } from './config';
import { LONG_STATEMENT_MS } from './long-transaction';
import { models } from '../schema/models';
import { prepareStatements } from './pool/prepared-statements';
import { endingWhenSilent, keptAlive } from './pool/silent-server';
import type { Db, Watch } from './query';

pg.types.setTypeParser(pg.types.builtins.INT8, Number); // Minor units stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day); // A day has no time zone: keep YYYY-MM-DD.

/**
 * Opens the pool. Nothing is sent before the first statement; `close` waits for what is running. `watch` sees what is
 * run, `keys` seal what is kept secret.
 */
export function connect(
  config: Pick<DatabaseConfig, 'DATABASE_URL'> & Partial<DatabaseConfig>,
  name = 'platform',
  watch?: Watch,
  { keys, lockTimeoutMs }: Pick<Db, 'keys'> & { lockTimeoutMs?: number } = {},
): Db {
  const statementTimeoutMs = config.DATABASE_STATEMENT_TIMEOUT_MS ?? 30_000;
  const sequelize = openPool(config.DATABASE_URL, config.DATABASE_POOL_MAX ?? 20, {
    application_name: name,
    statement_timeout: statementTimeoutMs,
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    options: ISOLATION,
    keepAlive: true,
    // Twice as long as statements may run, for the sake of the few that are given more time.
    stream: endingWhenSilent(2 * statementTimeoutMs),
  });
  return { sequelize, ...(watch && { watch }), ...(keys && { keys }) };
}

/** Connections of long work: the three jobs that need them, and one to cancel their statements. */
const LONG_WORK_POOL = 4;

/**
 * Opens a small pool for statements that read whole tables and send nothing until they are done. A silent server does
 * not end its connections: TCP's keepalive notices one that has vanished, and PostgreSQL ends a statement whose client
 * has.
 */
export function connectForLongWork(
  { DATABASE_URL: url }: Pick<DatabaseConfig, 'DATABASE_URL'>,
  name: string,
  watch?: Watch,
  { keys }: Pick<Db, 'keys'> = {},
): Db {
  const sequelize = openPool(url, LONG_WORK_POOL, {
    application_name: name,
    statement_timeout: LONG_STATEMENT_MS,
    options: `${ISOLATION} -c client_connection_check_interval=10s -c tcp_keepalives_idle=30`,
    stream: keptAlive,
  });
  return { sequelize, ...(watch && { watch }), ...(keys && { keys }) };
}

/** Said once for each connection, and not again for each transaction. */
const ISOLATION = '-c default_transaction_isolation=read\\ committed';

function openPool(url: string, max: number, dialectOptions: object): Sequelize {
  const sequelize = new Sequelize(url, {
    models,
    repositoryMode: true, // A model belongs to its connection: a process has several.
    logging: false,
    pool: { max, acquire: 10_000, idle: 30_000 },
    retry: { max: 0 },
    dialectOptions: { idle_in_transaction_session_timeout: 60_000, ...dialectOptions },
  });
  prepareStatements(sequelize);
  return sequelize;
}

/** Whether the database answers at all, for readiness. */
export async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    await db.sequelize.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** How many connections of the pool do what just now, and how many statements wait for one; null before its first use. */
export function poolUse(db: Db): Record<'in use' | 'idle' | 'waited for', number> | null {
  // Sequelize keeps its pool to itself in its types, though not in its objects.
  const { connectionManager } = db.sequelize as unknown as {
    connectionManager?: { pool?: { using: number; available: number; waiting: number } };
  };
  const pool = connectionManager?.pool;
  return pool ? { 'in use': pool.using, idle: pool.available, 'waited for': pool.waiting } : null;
}
