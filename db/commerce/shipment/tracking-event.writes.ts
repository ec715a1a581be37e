import { recordAudit } from '../../administration/audit/audit.writes';
import type { RequestNote } from '../../administration/idempotency/request-note.writes';
import type { Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { addTrackingEvent, shipmentOf, type TrackingEventEntry } from './shipment.writes';

/**
 * An administrator adds what a carrier told of a parcel; the order stays where it is. The same event again changes
 * nothing. False for an order that has not been shipped.
 */
export function queueParcelMail(
  db: Db,
  event: TrackingEventEntry,
  by: Omit<RequestNote, 'text'>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const { shippedAt } = await shipmentOf(tx, event.orderId);
    if (shippedAt === null) return false;
    if (!(await addTrackingEvent(tx, event, at))) return true;
    const { orderId, id: eventId, ...next } = event;
    await recordAudit(tx, {
      ...by,
      action: 'order.add-tracking-event',
      entityType: 'order',
      entityId: orderId,
      previous: null,
      next: { eventId, ...next },
      at,
    });
    return true;
  });
}
