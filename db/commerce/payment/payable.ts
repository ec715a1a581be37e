import {
  ownerOf,
  PAYABLE_IDS,
  PAYABLE_KINDS,
  PAYABLE_NOUNS,
  type PayableIds,
  type PayableKey,
} from '../../../workflows/commerce/payable/payable.rules';
import { execute, type Tx } from '../../sql/query';

/** The tables of what can be paid for, as statements name them, and the columns by which rows of payments name them. */
const KINDS = {
  orderId: { table: 'orders', alias: 'o', column: 'order_id' },
  participationId: { table: 'participations', alias: 'i', column: 'participation_id' },
  entranceId: { table: 'partner_entrances', alias: 'f', column: 'entrance_id' },
  topUpId: { table: 'top_ups', alias: 'w', column: 'top_up_id' },
} as const satisfies Record<keyof PayableIds, Record<'table' | 'alias' | 'column', string>>;

const ALL = PAYABLE_IDS.map((id) => KINDS[id]);

/**
 * The table, its noun and the column for a statement, and the id as its parameter. What can be paid for has the columns `status`
 * (CANCELLED for one that was given up), `number`, `user_id`, `payment_status`, `paid_at` and `updated_at`.
 */
export function payableSql(key: PayableKey): { noun: string; table: string; column: string; id: string } {
  const { column, id } = ownerOf(key);
  return { ...payablesAs(column), id };
}

/** The table of one kind, its noun, and the column by which rows of payments name it. */
export const payablesAs = (id: keyof PayableIds): { noun: string; table: string; column: string } => ({
  ...KINDS[id],
  noun: PAYABLE_NOUNS[PAYABLE_KINDS[id]],
});

/** Locks what is paid for, so that every other move of it and of its money waits. */
export async function lockPayableRow(tx: Tx, key: PayableKey): Promise<void> {
  const { table, id } = payableSql(key);
  await execute(tx, `SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/** SQL for the columns of `row`, a row of payments, that name what it belongs to; `row` left out: without a table. */
export const payableColumns = (row?: string): string =>
  ALL.map(({ column }) => (row === undefined ? column : `${row}.${column}`)).join(', ');

/** SQL for the id of what a row of payments belongs to. */
export const payableId = (row?: string): string => `coalesce(${payableColumns(row)})`;

/**
 * SQL that joins what a row of payments belongs to: as `o` an order, as `i` a participation, as `f` an entrance fee, or as `w` a
 * top-up.
 */
export const payablesOf = (row: string): string =>
  ALL.map(({ table, alias, column }) => `LEFT JOIN ${table} ${alias} ON ${alias}.id = ${row}.${column}`).join(
    ' ',
  );

/** SQL for a column that everything that can be paid for has; a fragment over `payablesOf`. */
const ofPayable = (column: string): string =>
  `coalesce(${ALL.map(({ alias }) => `${alias}.${column}`).join(', ')})`;

/** Its id, the number by which people name it, its user and its status; fragments over `payablesOf`. */
export const PAYABLE_ID = ofPayable('id');
export const NUMBER = ofPayable('number');
export const USER_ID = ofPayable('user_id');
export const PAYABLE_STATUS = ofPayable('status');
