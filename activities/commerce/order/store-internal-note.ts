import { clearNoteText, readNote } from '../../../db/administration/idempotency/request-note.writes';
import { addInternalNote } from '../../../db/commerce/order-administration/internal-note.writes';
import type { Tx } from '../../../db/sql/query';
import { tooManyInternalNotes } from '../../../workflows/commerce/order/order.contract';

/**
 * Takes the internal note of a request, if it has one, over to the locked order, so that its text is nowhere else; returns
 * its id for the audit record, which does not repeat its text. Refused: VALIDATION_ERROR for an order that has as many notes as it may have.
 */
export async function storeInternalNote(
  tx: Tx,
  orderId: string,
  internalNoteId: string | undefined,
  createdAt: Date,
): Promise<{ internalNoteId?: string }> {
  if (internalNoteId === undefined) return {};
  const { actorId: createdBy, text } = await readNote(tx, internalNoteId);
  if (text === null) return {};
  const note = { id: internalNoteId, orderId, note: text, createdBy, createdAt };
  const added = await addInternalNote(tx, note);
  if (added === 'FULL') throw tooManyInternalNotes();
  await clearNoteText(tx, internalNoteId);
  return added === 'ADDED' ? { internalNoteId } : {};
}
