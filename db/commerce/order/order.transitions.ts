import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import {
  orderStates,
  type OrderPaymentStatus,
  type OrderStatus,
} from '../../../workflows/commerce/order/order.states';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OrderStatusChange } from './order-status-change.model';
import type { Order } from './order.model';

/** An order, locked until the transaction ends; times are ISO 8601 in UTC with milliseconds. */
export type LockedOrder = Pick<
  Attributes<Order>,
  | 'id'
  | 'number'
  | 'userId'
  | 'status'
  | 'paymentStatus'
  | 'currency'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'refundedMinor'
  | 'partnerBalanceMinor'
  | 'paymentMethod'
> & { payBy: string; createdAt: string; paidAt: string | null };

/** Locks an order, so that every other move of it waits; null when there is none. */
export function lockOrder(tx: Tx, orderId: string): Promise<LockedOrder | null> {
  return firstRow<LockedOrder>(
    tx,
    `SELECT id, number, user_id, status, payment_status, currency,
       subtotal_minor, discount_minor, shipping_minor,
       tax_minor, total_minor, refunded_minor,
       partner_balance_minor,
       payment_method,
       to_char(payment_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS pay_by,
       to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
       to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS paid_at
     FROM orders WHERE id = $1 FOR NO KEY UPDATE`,
    [orderId],
  );
}

/** A move of an order, with its line in the history. */
export interface OrderMove {
  to: OrderStatus;
  paymentStatus?: OrderPaymentStatus;
  note: string | null;
  /** The user who moved it; null for a timer or a provider. */
  by: string | null;
  /** The note of the request for the move, if there was one; a repeated command is recognised by it. */
  noteId?: string;
  at: string;
}

/**
 * Moves an order, if `orderStates` allows it and the order still has the status that the caller read. Returns the time
 * of the move in its history.
 */
export async function moveOrder(
  tx: Tx,
  order: Pick<LockedOrder, 'id' | 'status'>,
  move: OrderMove,
): Promise<Date> {
  if (!orderStates.canMove(order.status, move.to))
    throw new Error(`Order ${order.id} cannot move from ${order.status} to ${move.to}.`);
  const moved = await execute(
    tx,
    `UPDATE orders SET status = $3, payment_status = coalesce($4, payment_status), updated_at = $5,
       paid_at = CASE WHEN $3 = 'PAID' THEN $5::timestamptz ELSE paid_at END,
       cancel_reason = CASE WHEN $3 = 'CANCELLED' THEN $6 ELSE cancel_reason END
     WHERE id = $1 AND status = $2`,
    [order.id, order.status, move.to, move.paymentStatus ?? null, move.at, move.note],
  );
  if (moved !== 1) throw new Error(`Order ${order.id} is no longer ${order.status}.`);
  return recordStatus(tx, order.id, move);
}

/**
 * Adds a line to the order's history; returns its time. Processes use their own clocks, so after a wait for the lock `at`
 * may be earlier than the last line: then the time of that line is used, which keeps the history in order.
 */
export async function recordStatus(
  tx: Tx,
  orderId: string,
  { to, note, by, noteId, at }: Omit<OrderMove, 'paymentStatus'>,
): Promise<Date> {
  const [change] = await rows<{ changedAt: Date }>(
    tx,
    `INSERT INTO order_status_changes (id, order_id, status, note, changed_by, changed_at, note_id)
     SELECT $1, $2, $3, $4, $5, greatest($6::timestamptz, max(changed_at)), $7
     FROM order_status_changes WHERE order_id = $2 RETURNING changed_at`,
    [v7(), orderId, to, note, by, at, noteId ?? null],
  );
  if (!change) throw new Error(`The history of order ${orderId} got no line.`);
  return change.changedAt;
}

/** True when the request with this note has moved the order before. The order is locked. */
export async function movedBy(tx: Tx, orderId: string, noteId: string): Promise<boolean> {
  return (await table(tx, OrderStatusChange).count({ orderId, noteId })) > 0;
}

/** Changes the payment status that the buyer sees; the order does not move. */
export async function setPaymentStatus(
  tx: Tx,
  orderId: string,
  paymentStatus: OrderPaymentStatus,
  at: string,
): Promise<void> {
  await execute(tx, `UPDATE orders SET payment_status = $2, updated_at = $3 WHERE id = $1`, [
    orderId,
    paymentStatus,
    at,
  ]);
}

/**
 * Decides whether an order that this transaction has paid is its buyer's first, and records that on the order; returns it. Of two
 * paid at once the buyer's row lets one be the first. A refund of the first makes no later one first.
 */
export async function markFirstOrder(
  tx: Tx,
  { id, userId }: Pick<LockedOrder, 'id' | 'userId'>,
): Promise<boolean> {
  const first = await firstRow(tx, 'SELECT 1 AS one FROM orders WHERE user_id = $1 AND is_first', [userId]);
  if (first) return false;
  await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const marked = await execute(
    tx,
    `UPDATE orders SET is_first = true
     WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = $2 AND o.is_first)`,
    [id, userId],
  );
  return marked === 1;
}
