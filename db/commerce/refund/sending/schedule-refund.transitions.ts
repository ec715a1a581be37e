import { v7 } from 'uuid';
import type { PayableKey } from '../../../../workflows/commerce/payable/payable.rules';
import type { RefundReason } from '../../../../workflows/commerce/refund/payment-refund.states';
import { execute, firstRow, rows, type Tx } from '../../../sql/query';
import { table } from '../../../sql/table';
import { payableSql } from '../../payment/payable';
import { PaymentRefund } from '../payment-refund.model';

/**
 * Schedules the return of captured money; returns the new refund's id. The database holds the limit: refunds and
 * chargebacks together never exceed the capture. `refundRequestId`: its request, for the reason REFUND and for no other.
 */
export async function scheduleRefund(
  tx: Tx,
  capture: PayableKey & { id: string; amountMinor: number; currency: string },
  reason: RefundReason,
  at: string,
  refundRequestId: string | null = null,
): Promise<string> {
  const id = v7();
  const { column, id: payableId } = payableSql(capture);
  const counted = await execute(
    tx,
    `UPDATE payment_captures SET refunded_minor = refunded_minor + $2
     WHERE id = $1 AND refunded_minor + charged_back_minor - refunds_charged_back_minor + $2 <= amount_minor`,
    [capture.id, capture.amountMinor],
  );
  if (counted !== 1)
    throw new Error(`Capture ${capture.id} does not have ${capture.amountMinor} left to give back.`);
  await execute(
    tx,
    `INSERT INTO payment_refunds
       (id, ${column}, capture_id, reason, refund_request_id, amount_minor, currency, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'PROCESSING', $8)`,
    [id, payableId, capture.id, reason, refundRequestId, capture.amountMinor, capture.currency, at],
  );
  await reopenRefundedPayment(tx, capture, at);
  return id;
}

/** Marks what was cancelled, and whose money was all back, as owing some again. It is locked. */
export async function reopenRefundedPayment(tx: Tx, payable: PayableKey, at: string): Promise<void> {
  const { table: payables, id } = payableSql(payable);
  await execute(
    tx,
    `UPDATE ${payables} SET payment_status = CASE WHEN paid_at IS NULL THEN 'FAILED' ELSE 'PAID' END, updated_at = $2
     WHERE id = $1 AND status = 'CANCELLED' AND payment_status = 'REFUNDED'`,
    [id, at],
  );
}

/** Refunds of something paid for that are still on their way. */
export function openRefunds(tx: Tx, payable: PayableKey): Promise<{ id: string; amountMinor: number }[]> {
  const { column, id } = payableSql(payable);
  return rows(
    tx,
    `SELECT id, amount_minor FROM payment_refunds WHERE ${column} = $1 AND status = 'PROCESSING' ORDER BY id`,
    [id],
  );
}

/** True if money of an order is on its way back, or was given up and is owed. */
export const isMoneyOwed = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await table(tx, PaymentRefund).count({ orderId, status: ['PROCESSING', 'ABANDONED'] })) > 0;

/** True if money came for something, and all that had to go back has gone back. */
export async function isMoneyReturned(tx: Tx, payable: PayableKey): Promise<boolean> {
  const { column, id } = payableSql(payable);
  const returned = await firstRow(
    tx,
    `SELECT 1 FROM payment_refunds WHERE ${column} = $1 HAVING count(*) > 0
       AND bool_and(status IN ('COMPLETED', 'CHARGED_BACK'))`,
    [id],
  );
  return returned !== null;
}

/** The refund by which a request's money is on its way; null when there is none (any more). */
export async function openRefundOf(tx: Tx, refundRequestId: string): Promise<string | null> {
  const open = await table(tx, PaymentRefund).one(
    ['id'],
    { refundRequestId, status: 'PROCESSING' },
    { order: [['id', 'ASC']] },
  );
  return open?.id ?? null;
}
