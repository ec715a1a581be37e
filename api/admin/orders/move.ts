import { totalLabel } from '../../../workflows/commerce/order/order-label.rules';
import { clearNoteText, storeNote } from '../../../db/administration/idempotency/request-note.writes';
import { orderHead, type OrderHead } from '../../../db/commerce/order/order.reads';
import {
  fulfilmentProcess,
  moveOrder,
  type MoveOrder,
} from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { illegalMove } from '../../../workflows/commerce/order/order.contract';
import { isCancellable, orderStates, type OrderStatus } from '../../../workflows/commerce/order/order.states';
import { refusalIn } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { noteOf } from '../../http/idempotency/note';
import { cancelThroughItsProcess } from '../../orders/cancel-through-its-process';

/** The notes and mail of a decision. */
export interface DecisionNotice {
  note: string | null;
  /** For administrators only. */
  internalNote: string | undefined;
  notifyCustomer: boolean;
}

/**
 * Moves an order through its process. The process decides; a move that the current status does not allow is refused here,
 * so that no process is started for an order that is unpaid or concluded, and no note is stored. Refused: VALIDATION_ERROR.
 */
export async function moveThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  move: Omit<MoveOrder, 'noteId' | 'internalNoteId' | 'notifyCustomer'>,
  { note, internalNote, notifyCustomer }: DecisionNotice,
): Promise<{ status: OrderStatus; trackingNumber: string | null; updatedAt: string }> {
  const { processes, request } = context;
  if (!orderStates.canMove(order.status, move.to)) throw illegalMove(order.status, move.to);
  const noteId = await noteOf(context, note);
  const internal = await internalNoteOf(context, internalNote);
  return withMoveRefusal(context, order, move.to, internal, () =>
    processes.open(
      fulfilmentProcess,
      { orderId: order.id, userId: order.userId, label: totalLabel(order) },
      moveOrder,
      { ...move, noteId, notifyCustomer, ...internal },
      { updateId: request.idempotencyId },
    ),
  );
}

/** Cancels an order as its buyer would, with an audit record. Refused: VALIDATION_ERROR. */
export async function cancelThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  { note, internalNote, notifyCustomer }: DecisionNotice,
): Promise<void> {
  const internal = isCancellable(order.status) ? await internalNoteOf(context, internalNote) : {};
  await withMoveRefusal(context, order, 'CANCELLED', internal, () =>
    cancelThroughItsProcess(context, order, {
      reason: note,
      byAdministrator: { notifyCustomer, ...internal },
    }),
  );
}

/** The id of a stored internal note, for a process; empty without a note. */
interface InternalNote {
  internalNoteId?: string;
}

/** Stores the text of an internal note until the process takes it over to the order. */
async function internalNoteOf(
  { db, caller, mint, request }: Context<'admin'>,
  text: string | undefined,
): Promise<InternalNote> {
  if (text === undefined) return {};
  const { internalNote: internalNoteId } = await mint('internalNote');
  await storeNote(db, internalNoteId, { actorId: caller.id, clientAddress: request.clientAddress, text });
  return { internalNoteId };
}

/**
 * Replaces the CANNOT_CANCEL of a process by the refusal of the move. A refusal clears the stored internal note; without an
 * answer, the process may still take it over.
 */
async function withMoveRefusal<T>(
  { db }: Context<'admin'>,
  order: OrderHead,
  to: OrderStatus,
  { internalNoteId }: InternalNote,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const refused = refusalIn(error);
    if (refused && internalNoteId !== undefined) await clearNoteText(db, internalNoteId);
    if (refused?.code !== 'CANNOT_CANCEL') throw error;
    throw illegalMove((await orderHead(db, order.id))?.status ?? order.status, to);
  }
}
