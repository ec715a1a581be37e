import { rows, type Db } from '../../sql/query';
import { Unsealable } from '../cipher';
import { keyIdOf, type KeyRing } from '../key-ring';
import { keyIn, sealedWindows } from './reseal.writes';
import { KEYED_CODES, SEALED_COLUMNS, type SealedColumn } from './sealed-columns';

/** A use of a key: rows of a column that are sealed, coded or linked by it. */
export interface KeyUse {
  /** Null: the bytes do not say. */
  keyId: string | null;
  /** Such as `users.payout_sealed`. */
  column: string;
  count: number;
}

interface Counted {
  keyId: string | null;
  count: number;
}

/** The columns of the audit trail that name keys; its links are never made anew. */
const AUDIT_COLUMNS = ['audit_records', 'audit_heads'].map((table) => ({ table, column: 'key_id' }));

/** Counts the values that each key of the ring is needed for, by column; `npm run reseal` moves them to the first key. */
export async function keysInUse(db: Db, keys: KeyRing): Promise<KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const column of SEALED_COLUMNS) {
    uses.push(...(await usesOf(db, column.table, column.column, keyIn(column.column))));
    if (column.within) uses.push(...(await usesWithin(db, keys, column)));
  }
  for (const { table, column, mac, macKey } of KEYED_CODES)
    uses.push(...(await usesOf(db, table, mac, macKey, `${column} IS NOT NULL`)));
  return uses;
}

/** The uses of keys that are never made anew: links of the audit trail, and codes whose value is erased. */
export async function keysKept(db: Db): Promise<KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const { table, column } of AUDIT_COLUMNS)
    uses.push(...(await usesOf(db, table, column, column)).filter(({ keyId }) => keyId !== null));
  for (const { table, column, mac, macKey } of KEYED_CODES)
    uses.push(...(await usesOf(db, table, mac, macKey, `${column} IS NULL`)));
  return uses;
}

async function usesOf(
  db: Db,
  table: string,
  column: string,
  keyId: string,
  condition = 'true',
): Promise<KeyUse[]> {
  const found = await rows<Counted>(
    db,
    `SELECT ${keyId} AS key_id, count(*)::int AS count FROM ${table} WHERE ${column} IS NOT NULL AND ${condition}
      GROUP BY 1 ORDER BY 1`,
  );
  return found.map((use) => ({ ...use, column: `${table}.${column}` }));
}

/** The keys of the seals within the secrets of a column. */
async function usesWithin(db: Db, keys: KeyRing, column: SealedColumn): Promise<KeyUse[]> {
  const counts = new Map<string | null, number>();
  for await (const window of sealedWindows(db, column))
    for (const row of window)
      for (const sealed of sealsWithin(keys, column, row)) {
        const keyId = keyIdOf(sealed);
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      }
  const name = `${column.table}.${column.column} (within)`;
  return [...counts].map(([keyId, count]) => ({ keyId, column: name, count }));
}

/** The seals within a secret; none if it does not open, for its own seal counts then. */
function sealsWithin(
  keys: KeyRing,
  { purposeOf, within }: SealedColumn,
  row: Parameters<SealedColumn['purposeOf']>[0],
): readonly Buffer[] {
  try {
    return within?.(keys, keys.open(row.sealed, purposeOf(row)), row).sealed ?? [];
  } catch (error) {
    if (error instanceof Unsealable) return [];
    throw error;
  }
}
