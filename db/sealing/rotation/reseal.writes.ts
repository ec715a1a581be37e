import { execute, rows, type Db } from '../../sql/query';
import { Unsealable } from '../cipher';
import { keyIdOf, type KeyRing } from '../key-ring';
import type { KeyedCode, SealedColumn, SealedRow } from './sealed-columns';

/** Rows of one statement. */
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The result for one column. */
export interface Tally {
  renewed: number;
  /** Rows that the programs changed meanwhile; the next run looks at them again. */
  changed: number;
  /** The ids of rows that do not open: their key is not on the ring, or they were altered. */
  unopened: string[];
}

interface Options {
  signal?: AbortSignal;
  batch?: number;
}

/**
 * Seals under the ring's first key what is sealed under another, by windows of the primary key. Each row is changed only
 * if it still has the bytes that were read, so programs may write meanwhile. It may be interrupted and repeated: what is
 * under the first key is passed over.
 */
export async function resealColumn(
  db: Db,
  keys: KeyRing,
  column: SealedColumn,
  options: Options = {},
): Promise<Tally> {
  const { table, key, column: name, within } = column;
  // A secret with seals within tells only when it is opened.
  const mayBeOld = within ? '$2::text IS NOT NULL' : `${keyIn(name)} IS DISTINCT FROM $2`;
  return eachRow(db, column, { mayBeOld, keyId: keys.sealsWith }, options, async (row) => {
    const renewed = resealed(keys, column, row);
    if (renewed === null) return null;
    return execute(db, `UPDATE ${table} SET ${name} = $3 WHERE ${key} = $1 AND ${name} = $2`, [
      row.id,
      row.sealed,
      renewed,
    ]);
  });
}

/** Makes the codes anew that are not under the ring's first key, in the same way. */
export async function renewCodes(
  db: Db,
  keys: KeyRing,
  code: KeyedCode,
  options: Options = {},
): Promise<Tally> {
  const { table, key, column, mac, macKey, codeOf } = code;
  const old = { mayBeOld: `${macKey} <> $2`, keyId: keys.sealsWith };
  return eachRow(db, code, old, options, async (row) => {
    const renewed = codeOf(keys, row);
    if (renewed === null) return null;
    return execute(
      db,
      `UPDATE ${table} SET ${mac} = $3, ${macKey} = $4 WHERE ${key} = $1 AND ${column} = $2 AND ${macKey} <> $4`,
      [row.id, row.sealed, renewed.mac, renewed.keyId],
    );
  });
}

/** SQL for the name of the key in the head of sealed bytes; null where there is no such head. */
export const keyIn = (column: string): string =>
  `CASE WHEN octet_length(${column}) > 2 THEN encode(substring(${column} FROM 3 FOR get_byte(${column}, 1)), 'escape') END`;

/** The rows that a run looks at: a condition of `$2`, the name of the key that seals. */
interface Candidates {
  mayBeOld: string;
  keyId: string;
}

/** The rows with something sealed, window by window of the primary key; with `candidates` only those. */
export async function* sealedWindows(
  db: Db,
  {
    table,
    key,
    column,
    userId = `''`,
    type = `''`,
  }: Pick<SealedColumn, 'table' | 'key' | 'column' | 'userId' | 'type'>,
  candidates: Candidates | null = null,
  batch = BATCH,
): AsyncGenerator<SealedRow[]> {
  const statement = `SELECT ${key}::text AS id, ${userId}::text AS user_id, ${type} AS type, ${column} AS sealed
    FROM ${table} WHERE ${key} > $1::uuid AND ${column} IS NOT NULL ${candidates ? `AND ${candidates.mayBeOld}` : ''}
    ORDER BY ${key} LIMIT ${batch}`;
  for (let after = FIRST_ID; ;) {
    const window = await rows<SealedRow>(db, statement, [after, ...(candidates ? [candidates.keyId] : [])]);
    yield window;
    const last = window.at(-1);
    if (!last || window.length < batch) return;
    after = last.id;
  }
}

/** Changes every row by `change`, which returns the number of rows it changed, or null if there was nothing to do. */
async function eachRow(
  db: Db,
  column: Parameters<typeof sealedWindows>[1],
  candidates: Candidates,
  { signal, batch }: Options,
  change: (row: SealedRow) => Promise<number | null>,
): Promise<Tally> {
  const tally: Tally = { renewed: 0, changed: 0, unopened: [] };
  for await (const window of sealedWindows(db, column, candidates, batch))
    for (const row of window) {
      signal?.throwIfAborted();
      try {
        const count = await change(row);
        if (count === 0) tally.changed += 1;
        else if (count !== null) tally.renewed += 1;
      } catch (error) {
        if (!(error instanceof Unsealable)) throw error;
        tally.unopened.push(row.id);
      }
    }
  return tally;
}

/** The bytes sealed anew under the first key; null if they, and those within, are already. Throws Unsealable. */
function resealed(keys: KeyRing, { purposeOf, within }: SealedColumn, row: SealedRow): Buffer | null {
  const purpose = purposeOf(row);
  const secret = keys.open(row.sealed, purpose);
  const inner = within?.(keys, secret, row);
  const all = [row.sealed, ...(inner?.sealed ?? [])];
  if (all.every((sealed) => keyIdOf(sealed) === keys.sealsWith)) return null;
  return keys.seal(inner ? inner.renewed() : secret, purpose);
}
