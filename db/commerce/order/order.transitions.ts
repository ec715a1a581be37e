import { v7 } from 'uuid';
import { orderStates, type OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import type { StockAmount } from '../../catalog/stock/stock.transitions';
import { execute, firstRow, rows, type Tx } from '../../sql/query';

export type OrderPaymentStatus = 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED';

/** An order as its transitions need it, locked until the transaction ends. */
export interface LockedOrder {
  id: string;
  number: string;
  userId: string;
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  currency: string;
  subtotalMinor: number;
  discountMinor: number;
  shippingMinor: number;
  taxMinor: number;
  totalMinor: number;
  /** How much of the total has gone back or is promised. */
  refundedMinor: number;
  partnerBalanceMinor: number;
  paymentMethod: PaymentMethod;
  payBy: string;
  createdAt: string;
  paidAt: string | null;
}

/** Locks an order: whoever wants to move it waits here. Null when there is none. */
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

/** A move of an order, with what its history shows. */
export interface OrderMove {
  to: OrderStatus;
  paymentStatus?: OrderPaymentStatus;
  note: string | null;
  /** Who moved it; null when time or a provider did. */
  by: string | null;
  /** The note by which it was asked for, if it was: the same wish carried out again is recognised by it. */
  noteId?: string;
  at: string;
}

/**
 * Moves an order along the one table of moves, and only from where the caller saw it. Answers the moment that its
 * history has for it.
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
 * Adds a line to the order's history. Processes ask by their own clocks, so one that had to wait for the order's lock
 * may name an earlier moment than what stands already; the history is kept in the order in which things happened.
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
  if (!change) throw new Error(`The history of order ${orderId} took no line.`);
  return change.changedAt;
}

/** Whether an order was moved by this very wish before. The order is locked. */
export async function movedBy(tx: Tx, orderId: string, noteId: string): Promise<boolean> {
  const found = await firstRow(
    tx,
    `SELECT 1 FROM order_status_changes WHERE order_id = $1 AND note_id = $2`,
    [orderId, noteId],
  );
  return found !== null;
}

/** What the buyer reads about the payment; the order itself stays where it is. */
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

/** What an order holds: stock items with their quantities, and the products for popularity. */
export async function orderGoods(
  tx: Tx,
  orderId: string,
): Promise<{ stock: StockAmount[]; units: { productId: string; quantity: number }[] }> {
  const items = await rows<{ productId: string; stockItemId: string | null; quantity: number }>(
    tx,
    `SELECT product_id, stock_item_id, quantity FROM order_items WHERE order_id = $1`,
    [orderId],
  );
  return {
    stock: items.flatMap(({ stockItemId, quantity }) =>
      stockItemId === null ? [] : [{ stockItemId, quantity }],
    ),
    units: items,
  };
}
