import 'reflect-metadata';
import pg from 'pg';
import { Sequelize } from 'sequelize-typescript';
import type { DatabaseConfig } from './config';
import { models } from './models';
import { prepareStatements } from './prepared-statements';
import { endingWhenSilent } from './silent-server';
import type { Db, Watch } from './sql';

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
  { keys }: Pick<Db, 'keys'> = {},
): Db {
  const statementTimeoutMs = config.DATABASE_STATEMENT_TIMEOUT_MS ?? 30_000;
  const sequelize = new Sequelize(config.DATABASE_URL, {
    models,
    logging: false,
    pool: { max: config.DATABASE_POOL_MAX ?? 20, acquire: 10_000, idle: 30_000 },
    retry: { max: 0 },
    dialectOptions: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      // Said once for each connection, and not again for each transaction.
      options: '-c default_transaction_isolation=read\\ committed',
      keepAlive: true,
      // Twice as long as statements may run, for the sake of the few that read whole tables and may run longer.
      stream: endingWhenSilent(2 * statementTimeoutMs),
    },
  });
  prepareStatements(sequelize);
  return { sequelize, ...(watch && { watch }), ...(keys && { keys }) };
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
