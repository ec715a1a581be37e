import { firstRow, type Db } from '../sql/query';
import { migrationList } from './migration-list';

export const KNOWN_MIGRATIONS: readonly string[] = migrationList.map(({ name }) => name);

/** Selects migrations that this program does not know; `known` is the SQL of KNOWN_MIGRATIONS, such as `$1`. */
export const newerMigrations = (known: string): string =>
  `SELECT 1 AS one FROM schema_migrations WHERE name <> ALL (${known}::text[])`;

/** Tells whether the schema is that of a newer release, whose tables this program does not know. */
export const isSchemaNewer = async (db: Db): Promise<boolean> =>
  (await firstRow(db, newerMigrations('$1'), [KNOWN_MIGRATIONS])) !== null;
