import { audited } from '../../../db/administration/audit/audit.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { orderAddressee } from '../../../db/commerce/order/order-letter.reads';
import {
  lockOrderStatus,
  noteAtStatus,
  setNoteAtStatus,
  touchOrder,
} from '../../../db/commerce/order/order-description.writes';
import { addInternalNote } from '../../../db/commerce/order-administration/internal-note.writes';
import {
  shipmentOf,
  saveShipment,
  type ShipmentRecord,
  type TrackingData,
} from '../../../db/commerce/shipment/shipment.writes';
import { trackedOrder, type TrackedOrder } from '../../../db/commerce/shipment/tracking.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { tooManyInternalNotes } from '../../../workflows/commerce/order/order.contract';
import { orderChangedLetter, type OrderLetterChange } from '../../../workflows/commerce/order/order.letters';
import type { Actor } from '../actor';
import { businessRefusal } from '../../../workflows/errors';

/** Changes of an order that leave its status as it is. */
export interface OrderDescription extends TrackingData {
  orderId: string;
  /** Names the request, for the mail. */
  idempotencyId: string;
  /** Left out: unchanged. */
  note?: string;
  /** For administrators only. Reuses the request's id, so that a retry adds it once. */
  internalNote?: { id: string; text: string; createdBy: string };
  notifyCustomer: boolean;
  by: Actor;
}

/**
 * Changes the tracking data of an order and the note at its status, and adds an internal note. No process takes part,
 * since the order does not move; a concurrent move waits. Values that are there already are not changed, mailed or
 * recorded. Buyers cannot tell that an internal note was added. Refused: VALIDATION_ERROR for tracking data of a cancelled
 * order, and for more internal notes than an order may have.
 */
export function updateOrderDetails(db: Db, description: OrderDescription): Promise<TrackedOrder> {
  const { orderId, idempotencyId, note, internalNote, notifyCustomer, by, ...tracking } = description;
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const status = await lockOrderStatus(tx, orderId);
    if (status === null) throw new Error(`There is no order ${orderId}.`);
    const before = await shipmentOf(tx, orderId);
    const after = { ...before, ...tracking };
    const previousNote = await noteAtStatus(tx, orderId, status);
    const trackingChanged =
      after.trackingNumber !== before.trackingNumber || after.trackingUrl !== before.trackingUrl;
    const noteChanged = note !== undefined && note !== previousNote;
    if (trackingChanged && status === 'CANCELLED') throw noShipment(Object.keys(tracking));
    const addedNoteId = await keepInternally(tx, orderId, internalNote, at);
    if (trackingChanged) await saveShipment(tx, orderId, after, at);
    if (noteChanged) await setNoteAtStatus(tx, orderId, status, note);
    const isVisibleToBuyer = trackingChanged || noteChanged;
    if (isVisibleToBuyer) await touchOrder(tx, orderId, at);
    if (isVisibleToBuyer && notifyCustomer)
      await queueDescriptionMail(tx, orderId, idempotencyId, {
        note: note ?? null,
        ...(trackingChanged && { tracking: trackingChange(before, after) }),
      });
    const order = await trackedOrder(tx, orderId);
    if (!isVisibleToBuyer && addedNoteId === null) return order;
    await audited(
      tx,
      { ...by, at },
      'order.describe',
      orderId,
      { ...(trackingChanged && trackingOf(before)), ...(noteChanged && { note: previousNote }) },
      {
        ...(trackingChanged && trackingOf(after)),
        ...(noteChanged && { note }),
        ...(isVisibleToBuyer && { notifyCustomer }),
        ...(addedNoteId !== null && { internalNoteId: addedNoteId }),
      },
    );
    return order;
  });
}

/** Adds an internal note; returns its id, null when there is none to add. */
async function keepInternally(
  tx: Tx,
  orderId: string,
  note: OrderDescription['internalNote'],
  createdAt: Date,
): Promise<string | null> {
  if (!note) return null;
  const { id, text, createdBy } = note;
  const added = await addInternalNote(tx, { id, orderId, note: text, createdBy, createdAt });
  if (added === 'FULL') throw tooManyInternalNotes();
  return added === 'ADDED' ? id : null;
}

const trackingOf = ({ trackingNumber, trackingUrl }: ShipmentRecord) => ({ trackingNumber, trackingUrl });

/** The change as the buyer's mail names it. */
function trackingChange(
  before: ShipmentRecord,
  after: ShipmentRecord,
): NonNullable<OrderLetterChange['tracking']> {
  const isTracked = (one: ShipmentRecord): boolean => one.trackingNumber !== null || one.trackingUrl !== null;
  if (!isTracked(after)) return 'REMOVED';
  return isTracked(before) ? 'CHANGED' : 'ADDED';
}

/** Chosen: a cancelled order is not sent, so there is nothing to track. */
export const noShipment = (fields: string[]): Error =>
  businessRefusal(
    'ORDER_CANCELLED',
    'A cancelled order has no shipment.',
    Object.fromEntries(fields.map((field) => [field, ['must be left out']])),
  );

async function queueDescriptionMail(
  tx: Tx,
  orderId: string,
  idempotencyId: string,
  change: Omit<OrderLetterChange, 'to'>,
): Promise<void> {
  const addressee = await orderAddressee(tx, orderId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: `order:${orderId}:note:${idempotencyId}`,
    to: addressee.email,
    ...letter(orderChangedLetter(addressee, { to: null, ...change })),
  });
}
