import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Order } from './order.model';

/** Sets the method and the deadline (ISO 8601) of a new attempt to pay. The caller holds the order's lock. */
export async function reopenPayment(
  tx: Tx,
  {
    orderId,
    paymentMethod,
    payBy,
    at,
  }: {
    orderId: string;
    paymentMethod: PaymentMethod;
    payBy: string;
    at: string;
  },
): Promise<void> {
  await table(tx, Order).update(
    {
      paymentMethod,
      paymentExpiresAt: new Date(payBy),
      paymentStatus: 'PENDING',
      updatedAt: new Date(at),
    },
    { id: orderId, status: 'PENDING_PAYMENT' },
  );
}

/** Sets the method by which an order was paid, where the buyer chose another last. The order is locked. */
export async function setPaymentMethod(tx: Tx, orderId: string, paymentMethod: PaymentMethod): Promise<void> {
  await execute(tx, `UPDATE orders SET payment_method = $2 WHERE id = $1 AND payment_method <> $2`, [
    orderId,
    paymentMethod,
  ]);
}
