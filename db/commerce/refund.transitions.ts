import { execute, firstRow, type Db, type Tx } from '../sql';
import type { RefundReason } from './capture.transitions';
import { bookRefundSent } from './order-ledger.transitions';
import { lockOrder } from './order.transitions';

/** Money on its way back, with what the provider needs to know. */
export interface PaymentRefund {
  id: string;
  orderId: string;
  provider: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  status: 'PROCESSING' | 'COMPLETED' | 'ABANDONED';
  reason: RefundReason;
  /** What it was asked for by; null for money that goes back by itself. */
  refundRequestId: string | null;
}

/** A refund that has come to its end; `now`: in this very transaction, and not before. */
export type EndedRefund = PaymentRefund & { now: boolean };

/** A refund by its id; one that a process was started for exists. */
export async function readRefund(db: Db, refundId: string): Promise<PaymentRefund> {
  const refund = await firstRow<PaymentRefund>(
    db,
    `SELECT r.id, r.order_id AS "orderId", c.provider, c.provider_payment_id AS "paymentId",
       r.amount_minor AS "amountMinor", r.currency, r.status, r.reason,
       r.refund_request_id AS "refundRequestId"
     FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
     WHERE r.id = $1`,
    [refundId],
  );
  if (!refund) throw new Error(`There is no refund ${refundId}.`);
  return refund;
}

/** The same, under the lock of its order: whoever moves money of one order waits for the others. */
async function lockRefund(tx: Tx, refundId: string): Promise<PaymentRefund> {
  const { orderId } = await readRefund(tx, refundId);
  await lockOrder(tx, orderId);
  return readRefund(tx, refundId);
}

/** Books a refund that the provider has sent; a cancelled order is paid no longer. Done before: nothing. */
export async function completeRefund(
  tx: Tx,
  refundId: string,
  providerRefundId: string,
  at: string,
): Promise<EndedRefund> {
  const refund = await lockRefund(tx, refundId);
  const completed = await execute(
    tx,
    `UPDATE payment_refunds SET status = 'COMPLETED', provider_refund_id = $2, completed_at = $3
     WHERE id = $1 AND status = 'PROCESSING'`,
    [refundId, providerRefundId, at],
  );
  if (completed === 0) return { ...refund, now: false };
  await bookRefundSent(tx, refund, at);
  await execute(
    tx,
    `UPDATE orders SET payment_status = 'REFUNDED', updated_at = $2
     WHERE id = $1 AND status = 'CANCELLED'
       AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.order_id = $1 AND r.status = 'PROCESSING')`,
    [refund.orderId, at],
  );
  return { ...refund, now: true };
}

/**
 * Gives a refund up: the money stays owed, in the ledger's account `refunds`. Chosen: it stays counted as refunded, for
 * nobody knows for certain that the provider will not send it after all, and it must not go back twice.
 */
export async function abandonRefund(tx: Tx, refundId: string): Promise<EndedRefund> {
  const refund = await lockRefund(tx, refundId);
  const abandoned = await execute(
    tx,
    `UPDATE payment_refunds SET status = 'ABANDONED' WHERE id = $1 AND status = 'PROCESSING'`,
    [refundId],
  );
  return { ...refund, now: abandoned === 1 };
}
