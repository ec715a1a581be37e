import { storeNote } from '../../../db/administration/idempotency/request-note.writes';
import type { Context } from '../handler-context';

/**
 * Stores the caller, the client address and the text of a request as a note, and returns the note's id. The process
 * gets only that id, so that no personal data enters its history. A repetition of a keyed request finds the same note.
 * `about`: the entity with whose data the text is erased.
 */
export async function noteOf(
  { db, caller, mint, request }: Pick<Context<'user'>, 'db' | 'caller' | 'mint' | 'request'>,
  text: string | null,
  about?: { entityId: string },
): Promise<string> {
  const { note } = await mint('note');
  await storeNote(db, note, { actorId: caller.id, clientAddress: request.clientAddress, text, ...about });
  return note;
}
