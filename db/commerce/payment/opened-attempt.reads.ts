import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { firstRow, type Db } from '../../sql/query';

/** An attempt to pay that was opened, in whatever state it is now. */
export interface OpenedAttempt {
  method: PaymentMethod;
  amountMinor: number;
  currency: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** The attempt of an order with this id; null when none was opened. */
export function openedAttempt(db: Db, orderId: string, attemptId: string): Promise<OpenedAttempt | null> {
  return firstRow<OpenedAttempt>(
    db,
    `SELECT a.method, a.amount_minor, a.currency,
       to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at
     FROM payment_attempts a WHERE a.order_id = $1 AND a.id = $2`,
    [orderId, attemptId],
  );
}
