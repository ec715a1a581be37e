import { KNOWN_MIGRATIONS, newerMigrations } from '../schema/newer-schema.reads';
import { rows, type Db } from '../sql/query';
import { BLOB_COLUMNS } from './blob-columns';

/** A row that has a blob. */
export interface BlobRow {
  name: string;
  /** Such as `media.name`. */
  column: string;
  entity: string;
}

/**
 * Those of these blobs that no row has, and that are not listed to be deleted. None while the schema is that of a newer
 * release: its tables may have blobs that this program cannot find.
 */
export async function blobsWithoutRow(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const unknown = [...BLOB_COLUMNS, { table: 'discarded_blobs', column: 'name' }].map(
    ({ table, column }) => `NOT EXISTS (SELECT 1 FROM ${table} AS known WHERE known.${column} = blob.name)`,
  );
  const found = await rows<{ name: string }>(
    db,
    `SELECT name FROM unnest($1::text[]) AS blob (name)
      WHERE ${unknown.join(' AND ')} AND NOT EXISTS (${newerMigrations('$2')})`,
    [names, KNOWN_MIGRATIONS],
  );
  return found.map(({ name }) => name);
}

/** The rows that have a blob of this shelf. */
export function rowsOfShelf(db: Db, shelf: string): Promise<BlobRow[]> {
  return rowsWhere(db, (column) => `${column} >= $1 AND ${column} < $2`, [shelf, afterAllOf(shelf)]);
}

/** The rows that have one of these blobs. */
export async function rowsOfBlobs(db: Db, names: readonly string[]): Promise<BlobRow[]> {
  return names.length === 0 ? [] : rowsWhere(db, (column) => `${column} = ANY ($1::text[])`, [names]);
}

const rowsWhere = (
  db: Db,
  condition: (column: string) => string,
  bind: readonly unknown[],
): Promise<BlobRow[]> =>
  rows<BlobRow>(
    db,
    BLOB_COLUMNS.map(
      ({ table, column, key }) =>
        `SELECT ${column} AS name, '${table}.${column}' AS "column", ${key}::text AS entity
           FROM ${table} WHERE ${condition(column)}`,
    ).join(' UNION ALL '),
    bind,
  );

/** A text that sorts after every name of the shelf and before those of the next: `ag` for `af`. */
const afterAllOf = (shelf: string): string => {
  const digits = '0123456789abcdefg';
  return shelf.slice(0, -1) + digits.charAt(digits.indexOf(shelf.slice(-1)) + 1);
};
