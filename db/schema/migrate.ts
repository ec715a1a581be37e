import { setTimeout as pause } from 'node:timers/promises';
import type { QueryInterface } from 'sequelize';
import { Umzug, type UmzugStorage } from 'umzug';
import { databaseConfig } from '../sql/config';
import { connect } from '../sql/connection';
import { migrationList } from './migration-list';
import { grantToPrograms, roleOf } from './program-role';
import { SHORT_LOCKS, untilLocked } from './table-locks';
import { execute, firstRow, rows, type Db } from '../sql/query';

/** An arbitrary number, different from that of every other advisory lock. */
const MIGRATION_LOCK = 7_310_211;
const ASK_EVERY_MS = 200;
const COLUMNS = 'name text PRIMARY KEY, executed_at timestamptz NOT NULL';

/**
 * Brings the schema up to date as the role of `url`, which then owns it. Of several concurrent callers one migrates, the
 * others wait and find nothing to do. Grants the role of `programUrl` its rights where it is another one.
 */
export async function migrateUp(url: string, programUrl = url): Promise<string[]> {
  return withMigrationLock(url, async (umzug, db) => {
    const applied = (await umzug.up()).map(({ name }) => name);
    if (roleOf(programUrl) !== roleOf(url)) await grantToPrograms(db, roleOf(programUrl));
    return applied;
  });
}

/** Undoes the newest migration, or all of them, including the data of their tables. Returns the names, newest first. */
export async function migrateDown(url: string, which: 'last' | 'all' = 'last'): Promise<string[]> {
  return withMigrationLock(url, async (umzug) => {
    const undone = await umzug.down(which === 'all' ? { to: 0 } : {});
    return undone.map(({ name }) => name);
  });
}

/** The migrations of this code that the database does not have yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const executed = new Set(await executedMigrations(db));
  return migrationList.map(({ name }) => name).filter((name) => !executed.has(name));
}

async function executedMigrations(db: Db): Promise<string[]> {
  const [table] = await rows<{ exists: boolean }>(
    db,
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return [];
  const executed = await rows<{ name: string }>(db, 'SELECT name FROM schema_migrations ORDER BY name');
  return executed.map(({ name }) => name);
}

/**
 * Runs work under the migrations' advisory lock. The pool is one connection, which holds the lock, so a killed migrator
 * releases it with its connection.
 */
async function withMigrationLock<T>(
  url: string,
  work: (umzug: Umzug<QueryInterface>, db: Db) => Promise<T>,
): Promise<T> {
  const db = connect(
    { DATABASE_URL: url, DATABASE_POOL_MAX: 1, DATABASE_STATEMENT_TIMEOUT_MS: 0 },
    'migrate',
  );
  try {
    await takeLock(db);
    await execute(db, `CREATE TABLE IF NOT EXISTS schema_migrations (${COLUMNS})`);
    return await work(migrator(db), db);
  } finally {
    await db.sequelize.close();
  }
}

/**
 * Waits for the lock by asking for it again. A statement that waited would hold a snapshot, which `CREATE INDEX CONCURRENTLY`
 * of the migrator that has the lock waits for.
 */
async function takeLock(db: Db): Promise<void> {
  const isTaken = (): Promise<{ taken: boolean } | null> =>
    firstRow(db, `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS taken`);
  while (!(await isTaken())?.taken) await pause(ASK_EVERY_MS);
}

function migrator(db: Db): Umzug<QueryInterface> {
  const { sequelize } = db;
  const statement = async (text: string): Promise<void> => {
    await sequelize.query(text);
  };

  /** Opens the transaction of a migration and of its row in schema_migrations; `storage` commits it. */
  const beginMigration = (change: () => Promise<void>): Promise<void> =>
    untilLocked(async () => {
      await statement(`BEGIN; ${SHORT_LOCKS}; SAVEPOINT migration`);
      try {
        await change();
      } catch (error) {
        await statement('ROLLBACK');
        throw error;
      }
    });

  const outside = new Set(migrationList.flatMap((one) => (one.outsideTransaction ? [one.name] : [])));
  const begin = (name: string, change: () => Promise<void>): Promise<void> =>
    outside.has(name) ? change() : beginMigration(change);

  /** Fails, recording nothing, unless the connection is still the one with the migration's savepoint. */
  const commit = (name: string, row: string): Promise<void> =>
    statement(outside.has(name) ? row : `RELEASE SAVEPOINT migration; ${row}; COMMIT`);

  const storage: UmzugStorage<QueryInterface> = {
    logMigration: ({ name }) =>
      commit(name, `INSERT INTO schema_migrations VALUES (${sequelize.escape(name)}, now())`),
    unlogMigration: ({ name }) =>
      commit(name, `DELETE FROM schema_migrations WHERE name = ${sequelize.escape(name)}`),
    executed: () => executedMigrations(db),
  };
  return new Umzug({
    context: sequelize.getQueryInterface(),
    logger: undefined,
    storage,
    migrations: migrationList.map(({ name, up, down }) => ({
      name,
      up: ({ context }) => begin(name, () => up(context)),
      down: ({ context }) => begin(name, () => down(context)),
    })),
  });
}

/** Carries out a command; returns the line to print. Throws the usage for an unknown command. */
export async function carryOut(command: string, url: string, programUrl = url): Promise<string> {
  const list = (names: string[]): string => names.join(', ') || 'nothing';
  switch (command) {
    case 'up':
      return `Applied: ${list(await migrateUp(url, programUrl))}`;
    case 'down':
      return `Taken back: ${list(await migrateDown(url))}`;
    case 'down all':
      return `Taken back: ${list(await migrateDown(url, 'all'))}`;
    case 'pending':
      return `Pending: ${list(await pendingAt(url))}`;
    default:
      throw new Error('Usage: migrate up | down | down all | pending');
  }
}

async function pendingAt(url: string): Promise<string[]> {
  const db = connect({ DATABASE_URL: url });
  try {
    return await pendingMigrations(db);
  } finally {
    await db.sequelize.close();
  }
}

async function main(): Promise<void> {
  try {
    const { DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL } = databaseConfig();
    console.log(await carryOut(process.argv.slice(2).join(' '), DATABASE_OWNER_URL, DATABASE_URL));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

if (require.main === module) void main();
