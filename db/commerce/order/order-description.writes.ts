import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { recordAudit } from '../../administration/audit/audit.writes';
import type { RequestNote } from '../../administration/idempotency/request-note.writes';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { queueOrderMail } from './order-letter.writes';
import { keepShipment, shipmentOf, type TrackingData } from '../shipment/shipment.writes';
import { orderStanding, type OrderStanding } from '../shipment/tracking.reads';

/** What an administrator says of an order without moving it. */
export interface OrderDescription extends TrackingData {
  orderId: string;
  /** Names the wish, for the mail. */
  idempotencyId: string;
  /** Left out: as it is. */
  note?: string;
  notifyCustomer: boolean;
  by: Omit<RequestNote, 'text'>;
}

/**
 * Changes what is said of an order: its parcel's tracking data, and the note at the status it has. No process is asked,
 * for nothing moves; whoever moves the order meanwhile waits. What is so already changes nothing, tells nobody and is
 * not recorded. Answers how the order stands; `no parcel` for tracking data of an order that is cancelled.
 */
export function describeOrder(
  db: Db,
  { orderId, idempotencyId, note, notifyCustomer, by, ...tracking }: OrderDescription,
): Promise<OrderStanding | 'no parcel'> {
  return inTransaction(db, async (tx) => {
    const at = new Date();
    const status = await lockStatus(tx, orderId);
    const before = await shipmentOf(tx, orderId);
    const after = { ...before, ...tracking };
    const previousNote = await noteAt(tx, orderId, status);
    const told = after.trackingNumber !== before.trackingNumber || after.trackingUrl !== before.trackingUrl;
    const noted = note !== undefined && note !== previousNote;
    if (told && status === 'CANCELLED') return 'no parcel';
    if (!told && !noted) return orderStanding(tx, orderId);
    if (told) await keepShipment(tx, orderId, after, at);
    if (noted) await setNote(tx, orderId, status, note);
    await execute(tx, `UPDATE orders SET updated_at = $2 WHERE id = $1`, [orderId, at]);
    if (notifyCustomer)
      await queueOrderMail(tx, { orderId, about: `said:${idempotencyId}`, to: null, note: note ?? null });
    const standing = await orderStanding(tx, orderId);
    const said = ({ trackingNumber, trackingUrl }: typeof before) => ({ trackingNumber, trackingUrl });
    await recordAudit(tx, {
      ...by,
      action: 'order.describe',
      entityType: 'order',
      entityId: orderId,
      previous: { ...(told && said(before)), ...(noted && { note: previousNote }) },
      next: { ...(told && said(after)), ...(noted && { note }), notifyCustomer },
      at,
    });
    return standing;
  });
}

async function lockStatus(tx: Tx, orderId: string): Promise<OrderStatus> {
  const order = await firstRow<{ status: OrderStatus }>(
    tx,
    `SELECT status FROM orders WHERE id = $1 FOR NO KEY UPDATE`,
    [orderId],
  );
  if (!order) throw new Error(`There is no order ${orderId}.`);
  return order.status;
}

async function noteAt(tx: Tx, orderId: string, status: OrderStatus): Promise<string | null> {
  const change = await firstRow<{ note: string | null }>(
    tx,
    `SELECT note FROM order_status_changes WHERE order_id = $1 AND status = $2`,
    [orderId, status],
  );
  return change?.note ?? null;
}

async function setNote(tx: Tx, orderId: string, status: OrderStatus, note: string): Promise<void> {
  await execute(tx, `UPDATE order_status_changes SET note = $3 WHERE order_id = $1 AND status = $2`, [
    orderId,
    status,
    note,
  ]);
}
