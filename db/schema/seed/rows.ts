import { v5 } from 'uuid';
import { execute, firstRow, type Tx } from '../../sql/query';

/** An arbitrary fixed namespace for the seed's ids. */
const NAMESPACE = '0d3f6c1e-52f1-4a55-9d53-6f0c1b8a7e10';

/** The id of a seeded thing, the same on every machine: `seedId('product:moka-pot')`. */
export const seedId = (name: string): string => v5(name, NAMESPACE);

/** Inserts rows, all with the same columns. */
export async function addRows(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (columns === '') return;
  await execute(
    tx,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** Tells whether a table has no rows. */
export async function isEmpty(tx: Tx, table: string): Promise<boolean> {
  return (await firstRow(tx, `SELECT 1 AS one FROM ${table} LIMIT 1`)) === null;
}
