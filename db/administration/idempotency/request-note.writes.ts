import type { Attributes } from 'sequelize';
import { keysOf } from '../../sealing/keys-of';
import { sealPurposes } from '../../sealing/purposes';
import { execute, firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { RequestNote as RequestNoteModel } from './request-note.model';

/** The actor of a request, their address, and the text they wrote. */
export type RequestNote = Pick<Attributes<RequestNoteModel>, 'actorId' | 'clientAddress'> & {
  text: string | null;
};

/** A note, and the entity that it is about if its text goes with that entity's data. */
export type StoredNote = RequestNote & { entityId?: string };

/** Stores a note, with its text sealed, before its process is started or updated. A repeated id changes nothing. */
export async function storeNote(db: Db, id: string, note: StoredNote): Promise<void> {
  const text =
    note.text === null ? null : keysOf(db).seal(Buffer.from(note.text), sealPurposes.requestNote(id));
  await execute(
    db,
    `INSERT INTO request_notes (id, actor_id, client_address, text, entity_id, created_at)
     VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT (id) DO NOTHING`,
    [id, note.actorId, note.clientAddress, text, note.entityId ?? null],
  );
}

/**
 * The stored note. Throws for an unknown id: notes are removed only when no process reads them any more; and Unsealable.
 */
export async function readNote(db: Db, id: string): Promise<RequestNote> {
  const note = await firstRow<Pick<Attributes<RequestNoteModel>, 'actorId' | 'clientAddress' | 'text'>>(
    db,
    'SELECT actor_id, client_address, text FROM request_notes WHERE id = $1', // SQL, since checkouts read it.
    [id],
  );
  if (!note) throw new Error(`There is no request note ${id}.`);
  return { ...note, text: note.text && openNoteText(db, id, note.text) };
}

/** The words of a note as its row stores them. Throws Unsealable. */
export const openNoteText = (db: Db, id: string, sealed: Buffer): string =>
  keysOf(db).open(sealed, sealPurposes.requestNote(id)).toString();

/** Clears the text of a note that no process reads any more. */
export async function clearNoteText(db: Db, id: string): Promise<void> {
  await execute(db, 'UPDATE request_notes SET text = NULL WHERE id = $1', [id]);
}

/** Clears the texts of the notes about an entity, also of requests that were refused. */
export async function clearNotesOn(db: Db, entityId: string): Promise<void> {
  await execute(db, 'UPDATE request_notes SET text = NULL WHERE entity_id = $1 AND text IS NOT NULL', [
    entityId,
  ]);
}

/** Tells whether a note has this id: then its request was received before and may have reached its process. */
export async function isNoteStored(db: Db, id: string): Promise<boolean> {
  return (await table(db, RequestNoteModel).one(['id'], { id })) !== null;
}
