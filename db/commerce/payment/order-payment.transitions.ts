import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { execute, type Tx } from '../../sql/query';

/** A new attempt to pay begins: by this method; the order waits until then. The caller holds the order's lock. */
export async function reopenPayment(
  tx: Tx,
  payment: { orderId: string; paymentMethod: PaymentMethod; payBy: string; at: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE orders SET payment_method = $2, payment_expires_at = $3, payment_status = 'PENDING', updated_at = $4
     WHERE id = $1 AND status = 'PENDING_PAYMENT'`,
    [payment.orderId, payment.paymentMethod, payment.payBy, payment.at],
  );
}

/** The method by which an order was paid, where it is not the one that was asked for last. The order is locked. */
export async function setPaymentMethod(tx: Tx, orderId: string, paymentMethod: PaymentMethod): Promise<void> {
  await execute(tx, `UPDATE orders SET payment_method = $2 WHERE id = $1 AND payment_method <> $2`, [
    orderId,
    paymentMethod,
  ]);
}
