import { execute, firstRow, type Db, type Tx } from '../sql';
import { bookRefundSent } from './order-ledger.transitions';

/** Money on its way back, with what the provider needs to know. */
export interface PaymentRefund {
  id: string;
  orderId: string;
  provider: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  status: 'PROCESSING' | 'COMPLETED' | 'ABANDONED';
  reason: 'CANCELLATION' | 'LATE_PAYMENT' | 'DUPLICATE_PAYMENT';
}

/** A refund by its id; one that a process was started for exists. */
export async function readRefund(db: Db, refundId: string): Promise<PaymentRefund> {
  const refund = await firstRow<PaymentRefund>(
    db,
    `SELECT r.id, r.order_id AS "orderId", a.provider, c.provider_payment_id AS "paymentId",
       r.amount_minor AS "amountMinor", r.currency, r.status, r.reason
     FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id JOIN payment_attempts a ON a.id = c.attempt_id
     WHERE r.id = $1`,
    [refundId],
  );
  if (!refund) throw new Error(`There is no refund ${refundId}.`);
  return refund;
}

/** Books a refund that the provider has sent; its order is paid no longer. Done before: nothing. */
export async function completeRefund(
  tx: Tx,
  refundId: string,
  providerRefundId: string,
  at: string,
): Promise<void> {
  const completed = await execute(
    tx,
    `UPDATE payment_refunds SET status = 'COMPLETED', provider_refund_id = $2, completed_at = $3
     WHERE id = $1 AND status = 'PROCESSING'`,
    [refundId, providerRefundId, at],
  );
  if (completed === 0) return;
  const refund = await readRefund(tx, refundId);
  await bookRefundSent(tx, refund, at);
  await execute(
    tx,
    `UPDATE orders SET payment_status = 'REFUNDED', updated_at = $2
     WHERE id = $1 AND status = 'CANCELLED'
       AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.order_id = $1 AND r.status = 'PROCESSING')`,
    [refund.orderId, at],
  );
}

/** Gives a refund up: the money stays owed, in the ledger's account `refunds`. */
export async function abandonRefund(tx: Tx, refundId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_refunds SET status = 'ABANDONED' WHERE id = $1 AND status = 'PROCESSING'`,
    [refundId],
  );
}
