import { setTimeout as pause } from 'node:timers/promises';
import { QueryTypes, type QueryInterface } from 'sequelize';
import { sqlStateOf } from '../sql/errors';

const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 1_000;
const LONGEST_MS = 30 * 60_000;

/**
 * Sets the longest wait for a lock of a table in this transaction. Who waits for such a lock makes everybody wait who comes
 * later, readers as well: a long reader, such as a backup, would stop the platform for as long as it reads.
 */
export const SHORT_LOCKS = `SET LOCAL lock_timeout = '2s'`;

/** Repeats work until it gets its locks in time; after half an hour it fails. It has no effect where it does not. */
export async function untilLocked<T>(work: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + LONGEST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || Date.now() > endsAt) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** Carries out statements of a migration outside a transaction in one of their own, which waits only shortly for its locks. */
export async function inShortLocks(query: QueryInterface, statements: string): Promise<void> {
  await untilLocked(() =>
    query.sequelize.transaction(async (transaction) => {
      await query.sequelize.query(`${SHORT_LOCKS}; ${statements}`, { transaction });
    }),
  );
}

/** An index of a table that is written to meanwhile; `on` is its table, columns and condition. */
interface ConcurrentIndex {
  name: string;
  unique?: true;
  on: string;
}

/**
 * Builds an index outside a transaction, while rows are written. One that a kill left unfinished, which PostgreSQL keeps as
 * invalid, is built anew; a finished one stays.
 */
export async function buildIndex(
  query: QueryInterface,
  { name, unique, on }: ConcurrentIndex,
): Promise<void> {
  const unfinished = await query.sequelize.query(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`,
    { type: QueryTypes.SELECT },
  );
  if (unfinished.length > 0) await dropIndex(query, name);
  await query.sequelize.query(
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`,
  );
}

/** Drops an index outside a transaction, if it is there. */
export async function dropIndex(query: QueryInterface, name: string): Promise<void> {
  await query.sequelize.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
