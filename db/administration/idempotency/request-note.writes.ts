import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { RequestNote as RequestNoteModel } from './request-note.model';

/** The actor of a request, their address, and the text they wrote. */
export type RequestNote = Pick<Attributes<RequestNoteModel>, 'actorId' | 'clientAddress' | 'text'>;

/** Keeps a note before its process is started or updated. A repeated id changes nothing. */
export async function keepNote(db: Db, id: string, note: RequestNote): Promise<void> {
  await execute(
    db,
    `INSERT INTO request_notes (id, actor_id, client_address, text, created_at)
     VALUES ($1, $2, $3, $4, now()) ON CONFLICT (id) DO NOTHING`,
    [id, note.actorId, note.clientAddress, note.text],
  );
}

/** The kept note. Throws for an unknown id: notes are removed only when no process reads them any more. */
export async function readNote(db: Db, id: string): Promise<RequestNote> {
  const note = await firstRow<RequestNote>(
    db,
    'SELECT actor_id, client_address, text FROM request_notes WHERE id = $1', // SQL, since checkouts read it.
    [id],
  );
  if (!note) throw new Error(`There is no request note ${id}.`);
  return note;
}

/** Clears the text of a note that no process reads any more. */
export async function clearNoteText(db: Db, id: string): Promise<void> {
  await execute(db, 'UPDATE request_notes SET text = NULL WHERE id = $1', [id]);
}

/** Tells whether a note has this id: then its request was received before and may have reached its process. */
export async function isNoteKept(db: Db, id: string): Promise<boolean> {
  return (await table(db, RequestNoteModel).one(['id'], { id })) !== null;
}
