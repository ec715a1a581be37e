import type { PaymentAttemptStatus } from '../../../workflows/commerce/payment/payment.states';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { execute, firstRow, type Db } from '../../sql/query';

/** An attempt to pay, as its provider's page is opened with. */
export interface PaymentToOpen {
  provider: string;
  method: PaymentMethod;
  status: PaymentAttemptStatus;
  amountMinor: number;
  currency: string;
  /** ISO 8601. */
  openedAt: string;
  expiresAt: string;
  orderNumber: string;
  /** The page, where it was opened before. */
  paymentUrl: string | null;
}

/** The attempt of that id; null when there is none. */
export function paymentToOpen(db: Db, attemptId: string): Promise<PaymentToOpen | null> {
  return firstRow<PaymentToOpen>(
    db,
    `SELECT a.provider, a.method, a.status, a.amount_minor, a.currency,
       to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS opened_at,
       to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at,
       o.number AS order_number, a.payment_url
     FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE a.id = $1`,
    [attemptId],
  );
}

/** Remembers where an attempt is paid and what its provider calls it. The same page again changes nothing. */
export async function keepPage(
  db: Db,
  attemptId: string,
  page: { paymentUrl: string; reference: string | null },
): Promise<void> {
  await execute(
    db,
    `UPDATE payment_attempts SET payment_url = $2, provider_reference = $3
     WHERE id = $1 AND payment_url IS NULL`,
    [attemptId, page.paymentUrl, page.reference],
  );
}
