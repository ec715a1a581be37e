import { keepNote } from '../../../db/administration/idempotency/request-note.writes';
import type { Context } from '../endpoint';

/**
 * Keeps who asks for something, from where and in which words, for the process that carries it out; answers the note's
 * id, which is all that the process carries. The same wish sent again finds its own note.
 */
export async function noteOf(
  { db, caller, mint, request }: Pick<Context<'user'>, 'db' | 'caller' | 'mint' | 'request'>,
  text: string | null,
): Promise<string> {
  const { note } = await mint('note');
  await keepNote(db, note, { actorId: caller.id, clientAddress: request.clientAddress, text });
  return note;
}
