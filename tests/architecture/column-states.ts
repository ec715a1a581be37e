import { rows, type Db } from '../../db/sql/query';

/** The values that the column's own CHECK lists, sorted. */
export async function statesOf(db: Db, table: string, column: string): Promise<string[]> {
  const checks = await rows<{ definition: string }>(
    db,
    `SELECT pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
       WHERE c.contype = 'c' AND c.conrelid = $1::regclass AND a.attname = $2`,
    [table, column],
  );
  return checks
    .flatMap(({ definition }) => [...definition.matchAll(/'([A-Z_]+)'/g)].map(([, state]) => state!))
    .sort();
}
