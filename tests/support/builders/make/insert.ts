import { execute, type Db } from '../../../../db/sql/query';

/** One row, by column name. Undefined leaves the column to its default. */
export async function insert(db: Db, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = given.map(([column]) => column).join(', ');
  const places = given.map((_, i) => `$${i + 1}`).join(', ');
  const bind = given.map(([, value]) => value);
  await execute(db, `INSERT INTO ${table} (${columns}) VALUES (${places})`, bind);
}

let made = 0;

/** Tells things of one kind apart: names, codes and addresses must differ within a file's database. */
export const nextNumber = (): number => ++made;
