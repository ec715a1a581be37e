import { v7 } from 'uuid';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { hasUnitsToShip } from '../../../db/commerce/order/order-goods.transitions';
import * as orders from '../../../db/commerce/order/order.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  insertTrackingEvent,
  saveShipment,
  shipmentOf,
  type ShipmentRecord,
} from '../../../db/commerce/shipment/shipment.writes';
import { trackedOrder } from '../../../db/commerce/shipment/tracking.reads';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { MovedOrder, MoveOrder } from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { illegalMove, nothingToShip } from '../../../workflows/commerce/order/order.contract';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import type { DbDeps } from '../../steps';
import { storeInternalNote } from './store-internal-note';
import { queueOrderMail } from './queue-order-mail';
import { requireOrder } from './require-order';

const TRACKING_DESCRIPTIONS = {
  SHIPPED: 'The parcel has left and is on its way.',
  DELIVERED: 'The parcel was delivered.',
} as const;

/**
 * Moves an order with all that belongs to the move: history, parcel, tracking event, mail and audit record. A repeated
 * command only returns the order's state. Refused: VALIDATION_ERROR for a move that `orderStates` does not allow, and for a
 * parcel without goods.
 */
export const moveOrder = (
  { db }: DbDeps,
  move: { orderId: string } & MoveOrder & { at: string },
): Promise<MovedOrder> =>
  inTransaction(db, async (tx) => {
    const { orderId, to, noteId, internalNoteId, notifyCustomer, at } = move;
    const order = await requireOrder(tx, orderId);
    if (await orders.movedBy(tx, orderId, noteId)) return movedOrder(tx, orderId);
    if (!orderStates.canMove(order.status, to)) throw illegalMove(order.status, to);
    if (to === 'SHIPPED' && !(await hasUnitsToShip(tx, orderId))) throw nothingToShip();
    const note = await readNote(tx, noteId);
    const command = { to, note: note.text, by: note.actorId, noteId, at };
    const movedAt = await orders.moveOrder(tx, order, command);
    const before = await shipmentOf(tx, orderId);
    const after = shipmentAfter(before, move, movedAt);
    if (after !== before) await saveShipment(tx, orderId, after, movedAt);
    if (to !== 'PROCESSING') {
      const event = { id: v7(), orderId, status: to, location: null, description: TRACKING_DESCRIPTIONS[to] };
      await insertTrackingEvent(tx, { ...event, happenedAt: movedAt }, movedAt);
    }
    if (notifyCustomer) await queueOrderMail(tx, orderId, { to, note: note.text });
    const kept = await storeInternalNote(tx, orderId, internalNoteId, movedAt);
    const answer = await movedOrder(tx, orderId);
    await recordAudit(tx, {
      actorId: note.actorId,
      action: 'order.move',
      entityId: orderId,
      previous: auditedState(order.status, before),
      next: { ...auditedState(to, after), note: note.text, notifyCustomer, ...kept },
      clientAddress: note.clientAddress,
      at: movedAt,
    });
    return answer;
  });

/** The shipment after a move; the same object when the move does not change it. */
function shipmentAfter(before: ShipmentRecord, move: MoveOrder, movedAt: Date): ShipmentRecord {
  const { to, trackingNumber = before.trackingNumber, trackingUrl = before.trackingUrl } = move;
  const isTracked = trackingNumber !== before.trackingNumber || trackingUrl !== before.trackingUrl;
  if (to === 'PROCESSING' && !isTracked) return before;
  return {
    trackingNumber,
    trackingUrl,
    shippedAt: to === 'SHIPPED' ? movedAt : before.shippedAt,
    deliveredAt: to === 'DELIVERED' ? movedAt : before.deliveredAt,
  };
}

const auditedState = (status: LockedOrder['status'], { trackingNumber, trackingUrl }: ShipmentRecord) => ({
  status,
  trackingNumber,
  trackingUrl,
});

async function movedOrder(tx: Tx, orderId: string): Promise<MovedOrder> {
  const { status, trackingNumber, updatedAt } = await trackedOrder(tx, orderId);
  return { status, trackingNumber, updatedAt: updatedAt.toISOString() };
}
