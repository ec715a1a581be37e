import { execute, type Db } from '../../../../db/sql/query';

/** Inserts one row, by column name. Undefined leaves the column to its default. */
export async function insert(db: Db, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const values = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = values.map(([column]) => column).join(', ');
  const places = values.map((_, i) => `$${i + 1}`).join(', ');
  const bind = values.map(([, value]) => value);
  await execute(db, `INSERT INTO ${table} (${columns}) VALUES (${places})`, bind);
}

/** Inserts rows by one statement, as JSON has them; each has the columns of the first. */
export async function insertAll(
  db: Db,
  table: string,
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(all[0] ?? {}).join(', ');
  if (columns === '') return;
  await execute(
    db,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(all)],
  );
}

let made = 0;

/** A number for names, codes and addresses, which must differ within a file's database. */
export const nextNumber = (): number => ++made;
