import type { PaymentMethod } from '../../workflows/commerce/payment.rules';
import { firstRow, type Db } from '../sql';

/** What a request to cancel came to. */
export interface DoneCancellation {
  /** Money on its way back by a provider. */
  isRefunding: boolean;
  /** Null: nothing had been paid. */
  refundMinor: number | null;
}

/** What the cancellation with this note came to; null when the order was not cancelled by it. */
export function cancellationBy(db: Db, orderId: string, noteId: string): Promise<DoneCancellation | null> {
  return firstRow<DoneCancellation>(
    db,
    `SELECT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.order_id = o.id AND r.status = 'PROCESSING') AS "isRefunding",
       CASE WHEN o.paid_at IS NOT NULL THEN o.total_minor END AS "refundMinor"
     FROM orders o JOIN order_status_changes c ON c.order_id = o.id
     WHERE o.id = $1 AND c.note_id = $2 AND c.status = 'CANCELLED'`,
    [orderId, noteId],
  );
}

/** An attempt to pay that was opened, whatever became of it. */
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
    `SELECT a.method, a.amount_minor AS "amountMinor", a.currency,
       to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expiresAt"
     FROM payment_attempts a WHERE a.order_id = $1 AND a.id = $2`,
    [orderId, attemptId],
  );
}
