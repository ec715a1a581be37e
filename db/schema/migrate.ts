import type { QueryInterface } from 'sequelize';
import { Umzug, type UmzugStorage } from 'umzug';
import { prettifyError, ZodError } from 'zod';
import { databaseConfig } from '../sql/config';
import { connect } from '../sql/connection';
import { migrationList } from './migration-list';
import { grantToPrograms, roleOf } from './program-role';
import { execute, rows, type Db } from '../sql/query';

/** Any number, as long as nothing else takes an advisory lock of it. */
const MIGRATION_LOCK = 7_310_211;
const COLUMNS = 'name text PRIMARY KEY, executed_at timestamptz NOT NULL';

/**
 * Brings the schema up to date as the role of `url`, which then owns it. Of several callers at once one migrates, the
 * others wait and find nothing to do. Where programs sign in as another role, at `programUrl`, it gets its rights here.
 */
export async function migrateUp(url: string, programUrl = url): Promise<string[]> {
  return alone(url, async (umzug, db) => {
    const applied = (await umzug.up()).map(({ name }) => name);
    if (roleOf(programUrl) !== roleOf(url)) await grantToPrograms(db, roleOf(programUrl));
    return applied;
  });
}

/** Takes the newest migration back, or all of them, with what their tables hold. Answers the names, newest first. */
export async function migrateDown(url: string, which: 'last' | 'all' = 'last'): Promise<string[]> {
  return alone(url, async (umzug) => {
    const undone = await umzug.down(which === 'all' ? { to: 0 } : {});
    return undone.map(({ name }) => name);
  });
}

/** The migrations that this code knows and the database has not seen. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const seen = new Set(await executedMigrations(db));
  return migrationList.map(({ name }) => name).filter((name) => !seen.has(name));
}

async function executedMigrations(db: Db): Promise<string[]> {
  const [table] = await rows<{ there: boolean }>(
    db,
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS there`,
  );
  if (!table?.there) return [];
  const executed = await rows<{ name: string }>(db, 'SELECT name FROM schema_migrations ORDER BY name');
  return executed.map(({ name }) => name);
}

/**
 * Runs work while no one else migrates. The pool is one connection, which holds the lock: it goes with the connection,
 * so a migrator that was killed stands in nobody's way.
 */
async function alone<T>(url: string, work: (umzug: Umzug<QueryInterface>, db: Db) => Promise<T>): Promise<T> {
  const db = connect(
    { DATABASE_URL: url, DATABASE_POOL_MAX: 1, DATABASE_STATEMENT_TIMEOUT_MS: 0 },
    'migrate',
  );
  try {
    await execute(db, `SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await execute(db, `CREATE TABLE IF NOT EXISTS schema_migrations (${COLUMNS})`);
    return await work(migrator(db), db);
  } finally {
    await db.sequelize.close();
  }
}

function migrator(db: Db): Umzug<QueryInterface> {
  const { sequelize } = db;
  const statement = async (text: string): Promise<void> => {
    await sequelize.query(text);
  };

  /** A migration and the note of it are one transaction, opened here and committed by `storage`. */
  const opened = async (change: () => Promise<void>): Promise<void> => {
    await statement('BEGIN; SAVEPOINT migration');
    try {
      await change();
    } catch (error) {
      await statement('ROLLBACK');
      throw error;
    }
  };

  /** The savepoint is there only if the connection is still the one the migration ran on; else nothing is noted. */
  const commit = (note: string): Promise<void> => statement(`RELEASE SAVEPOINT migration; ${note}; COMMIT`);

  const storage: UmzugStorage<QueryInterface> = {
    logMigration: ({ name }) =>
      commit(`INSERT INTO schema_migrations VALUES (${sequelize.escape(name)}, now())`),
    unlogMigration: ({ name }) =>
      commit(`DELETE FROM schema_migrations WHERE name = ${sequelize.escape(name)}`),
    executed: () => executedMigrations(db),
  };
  return new Umzug({
    context: sequelize.getQueryInterface(),
    logger: undefined,
    storage,
    migrations: migrationList.map(({ name, up, down }) => ({
      name,
      up: ({ context }) => opened(() => up(context)),
      down: ({ context }) => opened(() => down(context)),
    })),
  });
}

/** Carries out what the command line asks for; answers the line to print. Throws how to use it, if it is none. */
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

/** What went wrong, in a line that an operator can act on. */
function explain(error: unknown): string {
  if (error instanceof ZodError) return prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  try {
    const { DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL } = databaseConfig();
    console.log(await carryOut(process.argv.slice(2).join(' '), DATABASE_OWNER_URL, DATABASE_URL));
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

if (require.main === module) void main();
