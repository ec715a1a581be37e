/** A table whose changes are announced, with the functions that do it. */
export interface Announcing {
  table: string;
  update: string;
  insertOrDelete: string;
}

/** The events of a table, each with the rows that its trigger reads. */
export const EVENTS = [
  { event: 'insert', rows: 'REFERENCING NEW TABLE AS new_rows' },
  { event: 'update', rows: 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows' },
  { event: 'delete', rows: 'REFERENCING OLD TABLE AS old_rows' },
  { event: 'truncate', rows: '' },
] as const;

/** The triggers of a table. An emptied table changes everything, of whatever kind its rows were. */
export const triggersOf = ({ table, update, insertOrDelete }: Announcing): string =>
  EVENTS.map(({ event, rows }) => {
    const procedure =
      event === 'truncate' ? 'announce_catalogue_rows' : event === 'update' ? update : insertOrDelete;
    return `
  CREATE TRIGGER ${table}_announce_${event} AFTER ${event.toUpperCase()} ON ${table}
    ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${procedure}();`;
  }).join('');
