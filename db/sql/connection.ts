import 'reflect-metadata';
import pg from 'pg';
import { Sequelize } from 'sequelize-typescript';
import type { DatabaseConfig } from './config';
import { LONG_STATEMENT_MS } from './long-transaction';
import { models } from '../program/models';
import { prepareStatements } from './pool/prepared-statements';
import { endingWhenSilent, keptAlive } from './pool/silent-server';
import type { Db, Watch } from './query';
import { stretched } from '../../workflows/kit/limits/slowness';

pg.types.setTypeParser(pg.types.builtins.INT8, Number); // Minor units stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day); // A day has no time zone: keep YYYY-MM-DD.

/**
 * Opens the pool. Nothing is sent before the first statement; `close` waits for running ones. `watch` observes
 * statements, `keys` seal secrets.
 */
export function connect(
  config: Pick<DatabaseConfig, 'DATABASE_URL'> & Partial<DatabaseConfig>,
  name = 'platform',
  watch?: Watch,
  { keys, lockTimeoutMs }: Pick<Db, 'keys'> & { lockTimeoutMs?: number } = {},
): Db {
  const statementTimeoutMs = config.DATABASE_STATEMENT_TIMEOUT_MS ?? stretched(30_000);
  const sequelize = openPool(config.DATABASE_URL, config.DATABASE_POOL_MAX ?? 20, {
    application_name: name,
    statement_timeout: statementTimeoutMs,
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    options: ISOLATION,
    keepAlive: true,
    // Twice the statement timeout, for the few statements that are allowed more time.
    stream: endingWhenSilent(2 * statementTimeoutMs),
  });
  return { sequelize, ...(watch && { watch }), ...(keys && { keys }) };
}

/** Pieces of long work that a process does at once. */
export const LONG_WORK_SLOTS = 4;
/**
 * Connections for long work: one for each piece, one more for the maturation, which has two transactions at once, and one to cancel
 * statements.
 */
const LONG_WORK_POOL = LONG_WORK_SLOTS + 2;

/**
 * Opens a small pool for statements that read whole tables and send nothing until they are done. So a silent server
 * does not end its connections: TCP's keepalive notices a lost server, and PostgreSQL ends a lost client's statement.
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

/** Set once for each connection instead of for each transaction. */
const ISOLATION = '-c default_transaction_isolation=read\\ committed';

function openPool(url: string, max: number, dialectOptions: object): Sequelize {
  const sequelize = new Sequelize(url, {
    models,
    repositoryMode: true, // A model belongs to its connection: a process has several.
    logging: false,
    pool: { max, acquire: stretched(10_000), idle: 30_000 },
    retry: { max: 0 },
    dialectOptions: { idle_in_transaction_session_timeout: stretched(60_000), ...dialectOptions },
  });
  prepareStatements(sequelize);
  return sequelize;
}

/** Returns true while the database is reachable, for readiness. */
export async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    await db.sequelize.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** The pool's connections by state, and statements that wait for one. */
export interface PoolUse {
  inUse: number;
  idle: number;
  waiting: number;
}

/** Counts the use of the pool; null before its first use. */
export function poolUse(db: Db): PoolUse | null {
  // Sequelize's types do not declare the pool that its objects have.
  const { connectionManager } = db.sequelize as unknown as {
    connectionManager?: { pool?: { using: number; available: number; waiting: number } };
  };
  const pool = connectionManager?.pool;
  return pool ? { inUse: pool.using, idle: pool.available, waiting: pool.waiting } : null;
}
