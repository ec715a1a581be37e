import { execute, firstRow, type Db } from '../../sql/query';

/** Who asked, from where, and what they wrote. */
export interface RequestNote {
  actorId: string;
  clientAddress: string;
  text: string | null;
}

/** Keeps a note before the process that will need it is asked. The same id again changes nothing. */
export async function keepNote(db: Db, id: string, note: RequestNote): Promise<void> {
  await execute(
    db,
    `INSERT INTO request_notes (id, actor_id, client_address, text, created_at)
     VALUES ($1, $2, $3, $4, now()) ON CONFLICT (id) DO NOTHING`,
    [id, note.actorId, note.clientAddress, note.text],
  );
}

/** The kept note. Notes are never removed while a process may need them, so a missing one is our own mistake. */
export async function readNote(db: Db, id: string): Promise<RequestNote> {
  const note = await firstRow<RequestNote>(
    db,
    `SELECT actor_id, client_address, text FROM request_notes WHERE id = $1`,
    [id],
  );
  if (!note) throw new Error(`There is no request note ${id}.`);
  return note;
}

/** Whether a note is kept under this id: then its request came before, perhaps as far as to its process. */
export async function isNoteKept(db: Db, id: string): Promise<boolean> {
  return (await firstRow(db, 'SELECT 1 FROM request_notes WHERE id = $1', [id])) !== null;
}
