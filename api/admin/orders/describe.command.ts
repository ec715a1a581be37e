import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { orderAddressee } from '../../../db/commerce/order/order-addressee.reads';
import {
  lockOrderStatus,
  noteAtStatus,
  setNoteAtStatus,
  touchOrder,
} from '../../../db/commerce/order/order-description.writes';
import {
  shipmentOf,
  saveShipment,
  type ShipmentRecord,
  type TrackingData,
} from '../../../db/commerce/shipment/shipment.writes';
import { trackedOrder, type TrackedOrder } from '../../../db/commerce/shipment/tracking.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { orderChangedLetter } from '../../../workflows/commerce/order/order.letters';
import type { Actor } from '../actor';
import { businessRefusal } from '../../../workflows/errors';

/** Changes of an order that do not move it. */
export interface OrderDescription extends TrackingData {
  orderId: string;
  /** Names the request, for the mail. */
  idempotencyId: string;
  /** Left out: unchanged. */
  note?: string;
  notifyCustomer: boolean;
  by: Actor;
}

/**
 * Changes the tracking data of an order and the note at its status. No process takes part, since the order does not move;
 * a concurrent move waits. Values that are there already are not changed, mailed or recorded. Refused: VALIDATION_ERROR
 * for tracking data of a cancelled order.
 */
export function describeOrder(
  db: Db,
  { orderId, idempotencyId, note, notifyCustomer, by, ...tracking }: OrderDescription,
): Promise<TrackedOrder> {
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const status = await lockOrderStatus(tx, orderId);
    if (status === null) throw new Error(`There is no order ${orderId}.`);
    const before = await shipmentOf(tx, orderId);
    const after = { ...before, ...tracking };
    const previousNote = await noteAtStatus(tx, orderId, status);
    const isTracked =
      after.trackingNumber !== before.trackingNumber || after.trackingUrl !== before.trackingUrl;
    const isNoted = note !== undefined && note !== previousNote;
    if (isTracked && status === 'CANCELLED') throw noParcel(Object.keys(tracking));
    if (!isTracked && !isNoted) return trackedOrder(tx, orderId);
    if (isTracked) await saveShipment(tx, orderId, after, at);
    if (isNoted) await setNoteAtStatus(tx, orderId, status, note);
    await touchOrder(tx, orderId, at);
    if (notifyCustomer) await queueDescriptionMail(tx, orderId, idempotencyId, note ?? null);
    const order = await trackedOrder(tx, orderId);
    await recordAudit(tx, {
      ...by,
      action: 'order.describe',
      entityType: 'order',
      entityId: orderId,
      previous: { ...(isTracked && trackingOf(before)), ...(isNoted && { note: previousNote }) },
      next: { ...(isTracked && trackingOf(after)), ...(isNoted && { note }), notifyCustomer },
      at,
    });
    return order;
  });
}

const trackingOf = ({ trackingNumber, trackingUrl }: ShipmentRecord) => ({ trackingNumber, trackingUrl });

/** Chosen: a cancelled order is not sent, so there is nothing to track. */
export const noParcel = (fields: string[]): Error =>
  businessRefusal(
    'ORDER_CANCELLED',
    'A cancelled order has no shipment.',
    Object.fromEntries(fields.map((field) => [field, ['must be left out']])),
  );

async function queueDescriptionMail(
  tx: Tx,
  orderId: string,
  idempotencyId: string,
  note: string | null,
): Promise<void> {
  const addressee = await orderAddressee(tx, orderId);
  if (!addressee) return;
  await enqueueMail(tx, {
    reference: `order:${orderId}:said:${idempotencyId}`,
    to: addressee.email,
    ...letter(orderChangedLetter(addressee, { to: null, note })),
  });
}
