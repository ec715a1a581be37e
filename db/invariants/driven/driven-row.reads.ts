import { validate } from 'uuid';
import type { Drives } from '../../../workflows/kit/process';
import { rows, type Db } from '../../sql/query';
import { conditionOf, detailOf, shapeOf, sinceOf, type RowState } from './driven-row';

/** Most rows in memory at a time. */
const WINDOW = 500;
const FIRST = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The rows that one type of process drives, and what is made of each that is found: of the process's input, and of its state in words. */
export interface DrivenRows<Row> {
  readonly drives: Drives;
  readonly toRow: (input: Readonly<Record<string, unknown>>, detail: string) => Row;
}

/** The rows that a check looks at. */
export interface RowChoice {
  state: RowState;
  /** Rows that have been in the state for longer than this. */
  graceSeconds: number;
  /** Rows that entered the state at or after this; null: at any time. */
  since: Date | null;
}

type Found = Record<string, unknown> & { detail: string; cursorSince: string; cursorId: string };

/** The rows in a state, oldest first, in windows. */
export async function* rowWindows<Row>(
  db: Db,
  driven: DrivenRows<Row>,
  { state, graceSeconds, since }: RowChoice,
): AsyncGenerator<Row[]> {
  const { drives } = driven;
  const { from, id } = shapeOf(drives);
  const column = sinceOf(drives, state);
  let cursor = { since: since?.toISOString() ?? FIRST.since, id: FIRST.id };
  for (;;) {
    const found = await rows<Found>(
      db,
      `SELECT ${inputOf(drives)}, ${detailOf(drives)} AS detail, (${column})::text AS cursor_since, ${id} AS cursor_id
       FROM ${from}
       WHERE ${conditionOf(drives, state)} AND ${column} < now() - make_interval(secs => $1)
         AND (${column}, ${id}) > ($2::timestamptz, $3::uuid)
       ORDER BY ${column}, ${id} LIMIT ${WINDOW}`,
      [graceSeconds, cursor.since, cursor.id],
    );
    if (found.length > 0) yield found.map((row) => rowOf(driven, row));
    const last = found.at(-1);
    if (!last || found.length < WINDOW) return;
    cursor = { since: last.cursorSince, id: last.cursorId };
  }
}

/** The rows of these entities that are in the state for longer than the grace period. */
export async function rowsAmong<Row>(
  db: Db,
  driven: DrivenRows<Row>,
  { state, graceSeconds }: Omit<RowChoice, 'since'>,
  among: readonly string[],
): Promise<Row[]> {
  const { drives } = driven;
  const { from, entity, type } = shapeOf(drives);
  const entities = entitiesOf(type, among);
  if (entities.length === 0) return [];
  const found = await rows<Found>(
    db,
    `SELECT ${inputOf(drives)}, ${detailOf(drives)} AS detail FROM ${from}
     WHERE ${entity} = ANY ($2::${type}[]) AND ${conditionOf(drives, state)}
       AND ${sinceOf(drives, state)} < now() - make_interval(secs => $1)`,
    [graceSeconds, entities],
  );
  return found.map((row) => rowOf(driven, row));
}

/** Those of the entities that have no row. */
export async function withoutRow(db: Db, drives: Drives, among: readonly string[]): Promise<string[]> {
  const { from, entity, type } = shapeOf(drives);
  const entities = entitiesOf(type, among);
  if (entities.length === 0) return [];
  const found = await rows<{ entity: string }>(
    db,
    `SELECT e.entity FROM unnest($1::${type}[]) AS e (entity)
     WHERE e.entity NOT IN (SELECT ${entity} FROM ${from} WHERE ${entity} = ANY ($1::${type}[]))`,
    [entities],
  );
  return found.map((row) => row.entity);
}

/** The entities that can be of such rows: what other processes carry may be of another type. */
const entitiesOf = (type: 'uuid' | 'text', among: readonly string[]): string[] =>
  type === 'uuid' ? among.filter((entity) => validate(entity)) : [...among];

const inputOf = ({ key }: Drives): string =>
  Object.entries(key)
    .map(([name, column]) => `${column} AS "${name}"`)
    .join(', ');

const rowOf = <Row>({ drives, toRow }: DrivenRows<Row>, found: Found): Row =>
  toRow(Object.fromEntries(Object.keys(drives.key).map((name) => [name, found[name]])), found.detail);
