import type { RowState } from '../../../db/invariants/driven/driven-row';
import { execute, firstRow, rows, type Db, type Tx } from '../../../db/sql/query';
import type { Drives } from '../../../workflows/kit/process';

/** Works on an empty copy of a table, which hides it and takes any row; takes it all back. */
export async function inEmptyCopy(owner: Db, table: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  const transaction = await owner.sequelize.transaction();
  try {
    const tx = { ...owner, transaction };
    await execute(
      tx,
      `CREATE TEMP TABLE ${table} ON COMMIT DROP AS SELECT * FROM public.${table} WITH NO DATA`,
    );
    await work(tx);
  } finally {
    await transaction.rollback();
  }
}

/** Columns with their values as SQL. */
type Values = Readonly<Record<string, string>>;

const LONG_AGO = `now() - interval '3 hours'`;

/** The `nth` value of a type, as SQL. */
const valueOf: Readonly<Record<string, (nth: number) => string>> = {
  uuid: () => 'gen_random_uuid()',
  text: (nth) => `'${nth}'`,
  integer: String,
  bigint: String,
};

/** Every way in which a row is open or settled. `states`: those of the column. */
function waysOf(drives: Drives, states: readonly string[]): { state: RowState; values: Values }[] {
  const { column = '', open = [], settled, endsWithin, openWhileSet, settledOnceSet } = drives;
  const isIn = (state: RowState, names: readonly string[]) =>
    names.map((name) => ({ state, values: { [column]: `'${name}'` } }));
  const isSet = (state: RowState, name: string | undefined) =>
    name === undefined ? [] : [{ state, values: { [name]: LONG_AGO } as Values }];
  const others = states.filter((name) => !open.includes(name));
  const anyOther = states.length > 0 ? isIn('settled', others) : [{ state: 'settled' as const, values: {} }];
  return [
    ...isIn('open', open),
    ...isSet('open', openWhileSet),
    ...isIn('settled', [...(settled ?? []), ...(endsWithin?.states ?? [])]),
    ...isSet('settled', settledOnceSet),
    ...(settled === undefined && settledOnceSet === undefined ? anyOther : []),
  ];
}

/** Writes a row for each way to be open or settled; answers the state of each with the input of its process. */
export async function writeRows(tx: Tx, drives: Drives, states: readonly string[]) {
  const { table, key, only = {}, since, settledSince = since, startedWithin } = drives;
  const types = await rows<{ name: string; type: string }>(
    tx,
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0`,
    [table],
  );
  // Numbers too: a delivery that was never tried has no process.
  const filled = types.filter(
    ({ name, type }) => name === 'id' || Object.values(key).includes(name) || type === 'integer',
  );
  const always: Values = Object.fromEntries([
    ...[since, settledSince, startedWithin?.column ?? []].flat().map((name) => [name, LONG_AGO] as const),
    ...Object.entries(only).map(([name, value]) => [name, `'${value}'`] as const),
  ]);
  const written: { state: RowState; input: never }[] = [];
  for (const [nth, { state, values }] of waysOf(drives, states).entries()) {
    const own = Object.fromEntries(filled.map(({ name, type }) => [name, valueOf[type]!(nth + 1)]));
    const row = { ...own, ...always, ...values };
    const input = await firstRow(
      tx,
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})
       RETURNING ${Object.entries(key)
         .map(([name, of]) => `${of} AS "${name}"`)
         .join(', ')}`,
    );
    written.push({ state, input: input as never });
  }
  return written;
}
