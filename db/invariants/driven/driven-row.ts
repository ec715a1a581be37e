import type { Drives } from '../../../workflows/kit/process';

/** `open`: a row needs its process. `settled`: it has nothing left for the process to do. */
export type RowState = 'open' | 'settled';

/** The rows of a table as statements find them: in the order of `id`, and by the entity that their process carries. */
interface Shape {
  readonly from: string;
  readonly id: string;
  readonly entity: string;
  readonly type: 'uuid' | 'text';
}

const DELIVERY = `(consumer || ':' || position::text)`;

/** Tables whose rows have no id, or whose processes carry more than a column. */
const SHAPES: Readonly<Record<string, Partial<Shape>>> = {
  event_deliveries: {
    // The condition and the entity are those of event_deliveries_process_idx; a delivery that never failed has no process.
    from: `(SELECT * FROM event_deliveries WHERE state <> 'DUE' OR attempts > 0) AS deliveries`,
    id: `md5(${DELIVERY})::uuid`,
    entity: DELIVERY,
    type: 'text',
  },
  pool_runs: { entity: `(lower(kind) || ':' || period)`, type: 'text' },
};

/** The rows of a process, as SQL. */
export const shapeOf = ({ table, entity = 'id' }: Drives): Shape => ({
  ...{ from: table, id: 'id', entity, type: 'uuid' },
  ...SHAPES[table],
});

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const among = (column: string, values: readonly string[]): string =>
  `${column} IN (${values.map(literal).join(', ')})`;

const ago = ({ column, minutes }: { column: string; minutes: number }): string =>
  `${column} < now() - make_interval(mins => ${minutes})`;

/** The time since which a row is in the state, as SQL. */
export function sinceOf({ since, settledSince = since }: Drives, state: RowState): string {
  const columns = [state === 'open' ? since : settledSince].flat();
  return columns.length === 1 ? columns.join() : `coalesce(${columns.join(', ')})`;
}

/** The condition under which a row is in the state, as SQL. */
export function conditionOf(drives: Drives, state: RowState): string {
  const { only = {}, startedWithin } = drives;
  const all = Object.entries(only).map(([column, value]) => among(column, [value]));
  all.push(state === 'open' ? isOpen(drives) : isSettled(drives));
  if (state === 'open' && startedWithin) all.push(ago(startedWithin));
  return all.join(' AND ');
}

/** The condition of open rows; `row`: the name of the row with a dot, where it needs one. */
function isOpen({ column = '', open = [], openWhileSet }: Drives, row = ''): string {
  const any = open.length > 0 ? [among(row + column, open)] : [];
  if (openWhileSet !== undefined) any.push(`${row}${openWhileSet} IS NOT NULL`);
  return `(${any.join(' OR ')})`;
}

function isSettled(drives: Drives): string {
  const { table, column = '', settled, settledOnceSet, entity, endsWithin } = drives;
  if (settledOnceSet !== undefined) return `${settledOnceSet} IS NOT NULL`;
  const any = [settled ? among(column, settled) : `NOT ${isOpen(drives)}`];
  if (endsWithin) {
    const late = ago({ column: sinceOf(drives, 'settled'), minutes: endsWithin.minutes });
    any.push(`${among(column, endsWithin.states)} AND ${late}`);
  }
  const over = `(${any.join(' OR ')})`;
  if (entity === undefined) return over;
  // An earlier row of an entity that has opened another is no business of its process.
  return `${over} AND NOT EXISTS (SELECT 1 FROM ${table} other
    WHERE other.${entity} = ${table}.${entity} AND ${isOpen(drives, 'other.')})`;
}

/** The row and its state in words, as SQL. */
export function detailOf({ table, name, column, openWhileSet, settledOnceSet }: Drives): string {
  const row = name === undefined ? literal(table) : `concat_ws(' ', ${literal(table)}, ${name})`;
  const columns = [openWhileSet, settledOnceSet, column].filter((one) => one !== undefined);
  const states = columns.map((one) => `${literal(`${one} is `)} || coalesce(${one}::text, 'not set')`);
  return `${row} || ': ' || concat_ws(', ', ${states.join(', ')})`;
}
