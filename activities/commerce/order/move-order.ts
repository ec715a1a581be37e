import { v7 } from 'uuid';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { queueOrderMail } from '../../../db/commerce/order/order-letter.writes';
import { movedBy, moveOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  addTrackingEvent,
  keepShipment,
  shipmentOf,
  type Shipment,
  type TrackingData,
} from '../../../db/commerce/shipment/shipment.writes';
import { orderStanding } from '../../../db/commerce/shipment/tracking.reads';
import type { Tx } from '../../../db/sql/query';
import type {
  FulfilmentActivities,
  MovedOrder,
  MoveOrder,
} from '../../../workflows/commerce/order/fulfilment.contract';
import { illegalMove } from '../../../workflows/commerce/order/order.contract';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import { requireOrder } from './place-order';

const SAID_OF_THE_WAY = {
  SHIPPED: 'The parcel has left and is on its way.',
  DELIVERED: 'The parcel was delivered.',
} as const;

/**
 * Moves an order on in the caller's transaction, with all that belongs to it: its history, the parcel, what the buyer
 * can follow and is told, and the audit record. The same wish again only answers how the order stands.
 */
export async function moveOrderIn(
  tx: Tx,
  move: Parameters<FulfilmentActivities['moveOrder']>[0],
): Promise<MovedOrder> {
  const { orderId, to, noteId, notifyCustomer } = move;
  const order = await requireOrder(tx, orderId);
  if (await movedBy(tx, orderId, noteId)) return movedOrder(tx, orderId);
  if (!orderStates.canMove(order.status, to)) throw illegalMove(order.status, to);
  const note = await readNote(tx, noteId);
  const movedAt = await moveOrder(tx, order, {
    to,
    note: note.text,
    by: note.actorId,
    noteId,
    at: move.at,
  });
  const before = await shipmentOf(tx, orderId);
  const after = parcelAfter(before, move, movedAt);
  if (after !== before) await keepShipment(tx, orderId, after, movedAt);
  if (to !== 'PROCESSING')
    await addTrackingEvent(
      tx,
      {
        id: v7(),
        orderId,
        status: to,
        location: null,
        description: SAID_OF_THE_WAY[to],
        happenedAt: movedAt,
      },
      movedAt,
    );
  if (notifyCustomer) await queueOrderMail(tx, { orderId, about: to.toLowerCase(), to, note: note.text });
  const answer = await movedOrder(tx, orderId);
  await recordAudit(tx, {
    actorId: note.actorId,
    action: 'order.move',
    entityType: 'order',
    entityId: orderId,
    previous: auditOf(order.status, before),
    next: { ...auditOf(to, after), note: note.text, notifyCustomer },
    clientAddress: note.clientAddress,
    at: movedAt,
  });
  return answer;
}

/** The same parcel when the move tells nothing new of it. */
function parcelAfter(before: Shipment, move: MoveOrder & TrackingData, movedAt: Date): Shipment {
  const { to, trackingNumber = before.trackingNumber, trackingUrl = before.trackingUrl } = move;
  const told = trackingNumber !== before.trackingNumber || trackingUrl !== before.trackingUrl;
  if (to === 'PROCESSING' && !told) return before;
  return {
    trackingNumber,
    trackingUrl,
    shippedAt: to === 'SHIPPED' ? movedAt : before.shippedAt,
    deliveredAt: to === 'DELIVERED' ? movedAt : before.deliveredAt,
  };
}

const auditOf = (status: LockedOrder['status'], { trackingNumber, trackingUrl }: Shipment) => ({
  status,
  trackingNumber,
  trackingUrl,
});

async function movedOrder(tx: Tx, orderId: string): Promise<MovedOrder> {
  const { status, trackingNumber, updatedAt } = await orderStanding(tx, orderId);
  return { status, trackingNumber, updatedAt: updatedAt.toISOString() };
}
