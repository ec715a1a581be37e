import { totalLabel } from '../../../workflows/commerce/order/order-label.rules';
import { orderHead, type OrderHead } from '../../../db/commerce/order/order.reads';
import {
  fulfilmentProcess,
  moveOrder,
  type MoveOrder,
} from '../../../workflows/commerce/order/fulfilment.contract';
import { illegalMove } from '../../../workflows/commerce/order/order.contract';
import { orderStates, type OrderStatus } from '../../../workflows/commerce/order/order.states';
import { refusalIn } from '../../../workflows/errors';
import type { Context } from '../../http/endpoint';
import { noteOf } from '../../http/idempotency/note';
import { cancelThroughItsProcess } from '../../orders/cancel-through-its-process';

/** The note and mail of a decision. */
export interface DecisionNotice {
  note: string | null;
  /** The kept note for administrators only. */
  internalNoteId?: string;
  notifyCustomer: boolean;
}

/**
 * Moves an order through its process. The process decides; a move that the current status does not allow is refused here,
 * so that no process is started for an order that is unpaid or concluded. Refused: VALIDATION_ERROR.
 */
export async function moveThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  move: Omit<MoveOrder, 'noteId' | 'notifyCustomer'>,
  { note, ...notice }: DecisionNotice,
): Promise<{ status: OrderStatus; trackingNumber: string | null; updatedAt: string }> {
  const { db, processes, request } = context;
  if (!orderStates.canMove(order.status, move.to)) throw illegalMove(order.status, move.to);
  const noteId = await noteOf(context, note);
  return withMoveRefusal(db, order, move.to, () =>
    processes.open(
      fulfilmentProcess,
      { orderId: order.id, userId: order.userId, label: totalLabel(order) },
      moveOrder,
      { ...move, noteId, ...notice },
      { updateId: request.idempotencyId, ifClosed: 'CANNOT_CANCEL' },
    ),
  );
}

/** Cancels an order as its buyer would, with an audit record. Refused: VALIDATION_ERROR. */
export async function cancelThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  { note, ...byAdministrator }: DecisionNotice,
): Promise<void> {
  await withMoveRefusal(context.db, order, 'CANCELLED', () =>
    cancelThroughItsProcess(context, order, { reason: note, byAdministrator }),
  );
}

/** Replaces the CANNOT_CANCEL of a process by the refusal of the move. */
async function withMoveRefusal<T>(
  db: Context['db'],
  order: OrderHead,
  to: OrderStatus,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (refusalIn(error)?.code !== 'CANNOT_CANCEL') throw error;
    throw illegalMove((await orderHead(db, order.id))?.status ?? order.status, to);
  }
}
