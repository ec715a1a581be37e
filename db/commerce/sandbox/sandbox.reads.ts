import type {
  PaymentOutcome,
  PaymentReportType,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { firstRow, rows, type Db } from '../../sql/query';

export interface SandboxPayment {
  paymentId: string;
  status: PaymentOutcome;
  amountMinor: number;
  currency: string;
}

/**
 * What the sandbox's books say of a payment key, oldest first. A payment that is to arrive late stands in them with
 * its future moment, so until then it is not told.
 */
export async function sandboxPayments(db: Db, key: string): Promise<SandboxPayment[]> {
  return rows<SandboxPayment>(
    db,
    `SELECT id AS payment_id, status, amount_minor, currency
       FROM sandbox_payments
      WHERE payment_key = $1 AND created_at <= now()
      ORDER BY created_at, id`,
    [key],
  );
}

/** The sandbox's id of a refund and its amount, by the key it was asked with; null when it never was. */
export async function sandboxRefund(
  db: Db,
  key: string,
): Promise<{ refundId: string; amountMinor: number } | null> {
  const columns = 'id AS refund_id, amount_minor';
  return firstRow(db, `SELECT ${columns} FROM sandbox_refunds WHERE key = $1`, [key]);
}

export interface SandboxEvent {
  type: PaymentReportType;
  createdAt: Date;
  delivered: boolean;
  key: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** One report, with the payment it speaks of. */
export async function sandboxEvent(db: Db, eventId: string): Promise<SandboxEvent | null> {
  return firstRow<SandboxEvent>(
    db,
    `SELECT e.type, p.created_at, e.delivered_at IS NOT NULL AS delivered, p.payment_key AS key,
            p.id AS payment_id, p.amount_minor, p.currency
       FROM sandbox_events e JOIN sandbox_payments p ON p.id = e.payment_id
      WHERE e.id = $1`,
    [eventId],
  );
}

/**
 * Reports that were due between two moments and were not taken. Newest first, so that those which an address has been
 * refusing for days don't hide one that was never sent.
 */
export async function undeliveredSandboxEvents(
  db: Db,
  { dueAfter, dueBefore, limit }: { dueAfter: Date; dueBefore: Date; limit: number },
): Promise<{ eventId: string; delayMs: number }[]> {
  return rows(
    db,
    `SELECT id AS event_id, delay_ms
       FROM sandbox_events
      WHERE delivered_at IS NULL
        AND created_at + delay_ms * interval '1 millisecond' BETWEEN $1 AND $2
      ORDER BY created_at DESC, id
      LIMIT $3`,
    [dueAfter, dueBefore, limit],
  );
}
