import { rows, type Db } from '../../db/sql/query';
import { entitiesOf, type Driven, type DrivenRow } from './driven';

/** Most violations that a check reports of one kind; each one costs a call to the server. */
export const MOST_ROWS = 50;
/** Most rows in memory at a time. */
const WINDOW = 500;
const FIRST = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The rows that a check looks at. */
export interface RowChoice {
  state: 'open' | 'settled';
  /** Rows that have been in the state for longer than this. */
  graceSeconds: number;
  /** Rows that entered the state at or after this; null: at any time. */
  since: Date | null;
}

type Found = Record<string, string> & { cursorSince: string; cursorId: string };

/** The rows in a state, oldest first, in windows. */
export async function* rowWindows(
  db: Db,
  driven: Driven,
  { state, graceSeconds, since }: RowChoice,
): AsyncGenerator<DrivenRow[]> {
  const { where, detail, since: column } = driven[state];
  let cursor = { since: since?.toISOString() ?? FIRST.since, id: FIRST.id };
  for (;;) {
    const found = await rows<Found>(
      db,
      `SELECT ${driven.columns}, ${detail} AS detail, (${column})::text AS cursor_since, id AS cursor_id
       FROM ${driven.table}
       WHERE ${where} AND ${column} < now() - make_interval(secs => $1)
         AND (${column}, id) > ($2::timestamptz, $3::uuid)
       ORDER BY ${column}, id LIMIT ${WINDOW}`,
      [graceSeconds, cursor.since, cursor.id],
    );
    if (found.length > 0) yield found.map(driven.toRow);
    const last = found.at(-1);
    if (!last || found.length < WINDOW) return;
    cursor = { since: last.cursorSince, id: last.cursorId };
  }
}

/** The rows of these entities that are in the state for longer than the grace period. */
export async function rowsAmong(
  db: Db,
  driven: Driven,
  { state, graceSeconds }: Omit<RowChoice, 'since'>,
  among: readonly string[],
): Promise<DrivenRow[]> {
  const entities = entitiesOf(driven, among);
  if (entities.length === 0) return [];
  const { sql, type } = driven.entity;
  const { where, detail, since: column } = driven[state];
  const found = await rows<Record<string, string>>(
    db,
    `SELECT ${driven.columns}, ${detail} AS detail FROM ${driven.table}
     WHERE ${sql} = ANY ($2::${type}[]) AND ${where} AND ${column} < now() - make_interval(secs => $1)`,
    [graceSeconds, entities],
  );
  return found.map(driven.toRow);
}

/** Those of the entities that have no row. */
export async function withoutRow(
  db: Db,
  driven: Pick<Driven, 'table' | 'entity'>,
  among: readonly string[],
): Promise<string[]> {
  const entities = entitiesOf(driven, among);
  if (entities.length === 0) return [];
  const { sql, type } = driven.entity;
  const found = await rows<{ entity: string }>(
    db,
    `SELECT e.entity FROM unnest($1::${type}[]) AS e (entity)
     WHERE e.entity NOT IN (SELECT ${sql} FROM ${driven.table} WHERE ${sql} = ANY ($1::${type}[]))`,
    [entities],
  );
  return found.map(({ entity }) => entity);
}

/** The processes that are on the operators' list. */
export async function parkedAmong(db: Db, workflowIds: readonly string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set();
  const found = await rows<{ id: string }>(
    db,
    'SELECT workflow_id AS id FROM parked_processes WHERE workflow_id = ANY ($1)',
    [workflowIds],
  );
  return new Set(found.map(({ id }) => id));
}
