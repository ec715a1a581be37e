import { v7 } from 'uuid';
import { execute, firstRow, rows, type Tx } from '../sql';

export type RefundReason = 'CANCELLATION' | 'LATE_PAYMENT' | 'DUPLICATE_PAYMENT';

/** Money that arrived for an order. `applied`: it paid the order; else it is owed back. */
export interface Capture {
  id: string;
  attemptId: string;
  orderId: string;
  provider: string;
  /** The provider's own id of the payment; unique with the provider, so the same money is never counted twice. */
  providerPaymentId: string;
  amountMinor: number;
  currency: string;
  applied: boolean;
}

/** Writes down money that arrived; false when this very payment is already written. */
export async function recordCapture(tx: Tx, capture: Capture, at: string): Promise<boolean> {
  const written = await execute(
    tx,
    `INSERT INTO payment_captures
       (id, attempt_id, order_id, provider, provider_payment_id, amount_minor, currency, applied, captured_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT ON CONSTRAINT payment_captures_provider_payment_key DO NOTHING`,
    [
      capture.id,
      capture.attemptId,
      capture.orderId,
      capture.provider,
      capture.providerPaymentId,
      capture.amountMinor,
      capture.currency,
      capture.applied,
      at,
    ],
  );
  return written === 1;
}

/** The capture that paid an order, locked; null when the order was paid from balances alone, or not at all. */
export function appliedCapture(
  tx: Tx,
  orderId: string,
): Promise<{ id: string; amountMinor: number; currency: string } | null> {
  return firstRow(
    tx,
    `SELECT id, amount_minor AS "amountMinor", currency FROM payment_captures
     WHERE order_id = $1 AND applied FOR UPDATE`,
    [orderId],
  );
}

/** Which payment of a provider this is, if we know it. */
export function captureOf(
  tx: Tx,
  provider: string,
  providerPaymentId: string,
): Promise<{ id: string; orderId: string } | null> {
  return firstRow(
    tx,
    `SELECT id, order_id AS "orderId" FROM payment_captures WHERE provider = $1 AND provider_payment_id = $2`,
    [provider, providerPaymentId],
  );
}

/**
 * Schedules the return of captured money. The ceiling is in the database: refunded never passes captured.
 * Answers the new refund's id.
 */
export async function scheduleRefund(
  tx: Tx,
  capture: { id: string; orderId: string; amountMinor: number; currency: string },
  reason: RefundReason,
  at: string,
): Promise<string> {
  const id = v7();
  await execute(tx, `UPDATE payment_captures SET refunded_minor = refunded_minor + $2 WHERE id = $1`, [
    capture.id,
    capture.amountMinor,
  ]);
  await execute(
    tx,
    `INSERT INTO payment_refunds (id, order_id, capture_id, reason, amount_minor, currency, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'PROCESSING', $7)`,
    [id, capture.orderId, capture.id, reason, capture.amountMinor, capture.currency, at],
  );
  return id;
}

/** What is still on its way back for an order. */
export async function openRefunds(tx: Tx, orderId: string): Promise<{ id: string; amountMinor: number }[]> {
  return rows(
    tx,
    `SELECT id, amount_minor AS "amountMinor" FROM payment_refunds WHERE order_id = $1 AND status = 'PROCESSING'
     ORDER BY id`,
    [orderId],
  );
}
