import { openAttempt, type PaymentMeans } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../db/sql/query';
import { meansToPay, type OfferedAttempt, type Payments } from '../payment/payment-offer';

/** An attempt at the provider that takes new payments; times are ISO 8601. */
type NewAttempt = Omit<OfferedAttempt, 'provider' | 'number'> & { orderId: string; orderNumber: string };

/**
 * Opens the next attempt of an order and stores with it how it is paid, so that the buyer can look that up later. The caller
 * holds the order's lock.
 */
export async function openOfferedAttempt(
  tx: Tx,
  payments: Payments,
  attempt: NewAttempt,
): Promise<PaymentMeans> {
  const offered = { ...attempt, number: attempt.orderNumber, provider: payments.current };
  const means = await meansToPay(payments, offered);
  await openAttempt(tx, {
    ...means,
    id: offered.attemptId,
    orderId: offered.orderId,
    provider: offered.provider,
    method: offered.method,
    amountMinor: offered.attemptMinor,
    currency: offered.currency,
    expiresAt: offered.expiresAt,
    at: offered.openedAt,
  });
  return means;
}
