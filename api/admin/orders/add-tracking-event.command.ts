import { audited } from '../../../db/administration/audit/audit.writes';
import {
  insertTrackingEvent,
  shipmentOf,
  type NewTrackingEvent,
} from '../../../db/commerce/shipment/shipment.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { businessRefusal } from '../../../workflows/errors';

/**
 * Records a carrier's event of a parcel; the order does not move. The same event again changes nothing. Refused:
 * VALIDATION_ERROR for an order that has not been shipped.
 */
export function recordTrackingEvent(db: Db, event: NewTrackingEvent, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const { shippedAt } = await shipmentOf(tx, event.orderId);
    if (shippedAt === null)
      throw businessRefusal('ORDER_NOT_SHIPPED', 'This order has not been shipped yet.');
    if (!(await insertTrackingEvent(tx, event, at))) return;
    const { orderId, id: eventId, ...next } = event;
    await audited(tx, { ...by, at }, 'order.add-tracking-event', orderId, null, { eventId, ...next });
  });
}
