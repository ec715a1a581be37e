import { v7, validate } from 'uuid';
import {
  paymentReportType,
  type PaymentOutcome,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';

/** One payment on the sandbox's page, and when it is told: `delayMs` after it was made there. */
export interface SandboxEntry {
  status: PaymentOutcome;
  delayMs: number;
}

export interface SandboxReport {
  eventId: string;
  delayMs: number;
}

/**
 * Enters what somebody did on the page, with the reports that follow from it, in one transaction. `decide` sees what
 * stands in the books for this key already; two presses at once are seen one after the other.
 */
export async function enterSandboxPayments(
  db: Db,
  payment: { key: string; amountMinor: number; currency: string; at: Date },
  decide: (standing: readonly PaymentOutcome[]) => readonly SandboxEntry[],
): Promise<SandboxReport[]> {
  const { key, amountMinor, currency, at } = payment;
  return inTransaction(db, async (tx) => {
    await lockName(tx, `sandbox payment ${key}`);
    const standing = await rows<{ status: PaymentOutcome }>(
      tx,
      'SELECT status FROM sandbox_payments WHERE payment_key = $1',
      [key],
    );
    const reports: SandboxReport[] = [];
    for (const { status, delayMs } of decide(standing.map((entry) => entry.status))) {
      const [paymentId, eventId] = [v7(), v7()];
      await execute(
        tx,
        `INSERT INTO sandbox_payments (id, payment_key, amount_minor, currency, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [paymentId, key, amountMinor, currency, status, new Date(at.getTime() + delayMs)],
      );
      await execute(
        tx,
        'INSERT INTO sandbox_events (id, type, payment_id, delay_ms, created_at) VALUES ($1, $2, $3, $4, $5)',
        [eventId, paymentReportType(status), paymentId, delayMs, at],
      );
      reports.push({ eventId, delayMs });
    }
    return reports;
  });
}

/** Remembers that a report was taken. Marked before: the first moment stays. */
export async function markSandboxEventDelivered(db: Db, eventId: string, at: Date): Promise<void> {
  await execute(db, 'UPDATE sandbox_events SET delivered_at = $2 WHERE id = $1 AND delivered_at IS NULL', [
    eventId,
    at,
  ]);
}

export interface SandboxRefundOrder {
  key: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** The id of a refund that was made, or why it never will be. */
export type SandboxRefundEntry = { refundId: string } | { refused: string };

/** Gives money back, once for each key. Asked again in the same words: the same answer; in others: refused. */
export async function enterSandboxRefund(db: Db, order: SandboxRefundOrder): Promise<SandboxRefundEntry> {
  const { key, paymentId, amountMinor, currency } = order;
  return inTransaction(db, async (tx) => {
    await lockName(tx, `sandbox refund ${key}`);
    const before = await refundBefore(tx, key);
    if (before) {
      const same =
        before.paymentId === paymentId && before.amountMinor === amountMinor && before.currency === currency;
      return same ? { refundId: before.refundId } : { refused: 'This key was used for another refund.' };
    }
    await lockName(tx, `sandbox refunds of ${paymentId}`);
    const refused = await reasonAgainst(tx, order);
    if (refused !== null) return { refused };
    const refundId = v7();
    await execute(
      tx,
      `INSERT INTO sandbox_refunds (key, id, payment_id, amount_minor, currency, created_at)
       VALUES ($1, $2, $3, $4, $5, now())`,
      [key, refundId, paymentId, amountMinor, currency],
    );
    return { refundId };
  });
}

async function refundBefore(
  tx: Tx,
  key: string,
): Promise<(SandboxRefundOrder & { refundId: string }) | null> {
  return firstRow(
    tx,
    `SELECT key, id AS refund_id, payment_id, amount_minor, currency
       FROM sandbox_refunds WHERE key = $1`,
    [key],
  );
}

/** Why a payment cannot be given back (any more); null for what the sandbox has never seen, such as a bank transfer. */
async function reasonAgainst(
  tx: Tx,
  { paymentId, amountMinor, currency }: SandboxRefundOrder,
): Promise<string | null> {
  if (!validate(paymentId)) return null;
  const payment = await firstRow<{ status: PaymentOutcome; currency: string; leftMinor: number }>(
    tx,
    `SELECT status, currency, amount_minor - COALESCE(
              (SELECT sum(r.amount_minor) FROM sandbox_refunds r WHERE r.payment_id = p.id::text), 0
            )::bigint AS left_minor
       FROM sandbox_payments p WHERE id = $1`,
    [paymentId],
  );
  if (!payment) return null;
  if (payment.status !== 'PAID') return 'No money came in by this payment.';
  if (payment.currency !== currency) return `The payment was in ${payment.currency}.`;
  return amountMinor > payment.leftMinor ? 'More would be given back than was paid.' : null;
}

/** Lets one transaction at a time go on that names the same thing, which may have no row to lock yet. */
async function lockName(tx: Tx, name: string): Promise<void> {
  await rows(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
