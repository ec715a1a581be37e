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
import { askToCancel } from '../../orders/ask-to-cancel';

/** What an administrator wishes beside the status. */
export interface Beside {
  note: string | null;
  notifyCustomer: boolean;
}

/**
 * Moves an order on through its process. Whether the move is legal is judged there; what is plainly illegal is refused
 * here already, so that no process is started for an order that is not paid or long done.
 */
export async function moveThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  move: Omit<MoveOrder, 'noteId' | 'notifyCustomer'>,
  { note, notifyCustomer }: Beside,
): Promise<{ status: OrderStatus; trackingNumber: string | null; updatedAt: string }> {
  const { db, processes, request } = context;
  if (!orderStates.canMove(order.status, move.to)) throw illegalMove(order.status, move.to);
  const noteId = await noteOf(context, note);
  return legally(db, order, move.to, () =>
    processes.open(
      fulfilmentProcess,
      { orderId: order.id, userId: order.userId },
      moveOrder,
      { ...move, noteId, notifyCustomer },
      { updateId: request.idempotencyId, ifClosed: 'CANNOT_CANCEL' },
    ),
  );
}

/** Cancels an order as its buyer would, with the decision on record. */
export async function cancelThroughProcess(
  context: Context<'admin'>,
  order: OrderHead,
  { note, notifyCustomer }: Beside,
): Promise<void> {
  const noteId = await noteOf(context, note);
  await legally(context.db, order, 'CANCELLED', () =>
    askToCancel(context, order, { noteId, byAdministrator: { notifyCustomer } }),
  );
}

/** A process that is over, or no longer cancels, refuses in its own words: administrators hear of the table of moves. */
async function legally<T>(
  db: Context['db'],
  order: OrderHead,
  to: OrderStatus,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (refusalIn(error)?.code !== 'CANNOT_CANCEL') throw error;
    throw illegalMove((await orderHead(db, order.id))?.status ?? order.status, to);
  }
}
