import { rows, type Db } from '../../db/sql/query';
import type { Driven, DrivenRow } from './driven-rows';

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
  entities: readonly string[],
): Promise<DrivenRow[]> {
  if (entities.length === 0) return [];
  const { where, detail, since: column } = driven[state];
  const found = await rows<Record<string, string>>(
    db,
    `SELECT ${driven.columns}, ${detail} AS detail FROM ${driven.table}
     WHERE id = ANY ($2::uuid[]) AND ${where} AND ${column} < now() - make_interval(secs => $1)`,
    [graceSeconds, entities],
  );
  return found.map(driven.toRow);
}

/** The entities without a row. */
export async function withoutRow(db: Db, table: string, entities: readonly string[]): Promise<string[]> {
  if (entities.length === 0) return [];
  const found = await rows<{ id: string }>(
    db,
    `SELECT e.id FROM unnest($1::uuid[]) AS e (id) WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = e.id)`,
    [entities],
  );
  return found.map(({ id }) => id);
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
