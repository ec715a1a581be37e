import { v7 } from 'uuid';
import {
  paymentReportType,
  type PaymentOutcome,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { SandboxEvent } from './sandbox-event.model';
import { SandboxPayment } from './sandbox-payment.model';

/** One payment on the sandbox's page, reported `delayMs` after it was made there. */
export interface SandboxEntry {
  status: PaymentOutcome;
  delayMs: number;
}

export interface SandboxReport {
  eventId: string;
  delayMs: number;
}

/** A payment that somebody makes, or fails to make, on the sandbox's page. */
export interface AttemptedPayment {
  key: string;
  amountMinor: number;
  currency: string;
  at: Date;
  /** The fee that the sandbox keeps of money that comes in, in basis points; left out: none. */
  feeBp?: number;
}

/** Serialises transactions that name the same payment, which may have no row to lock yet. */
export const lockSandboxPayment = (tx: Tx, key: string): Promise<void> =>
  lockName(tx, `sandbox payment ${key}`);

/** Serialises transactions that name the same refund. */
export const lockSandboxRefund = (tx: Tx, key: string): Promise<void> =>
  lockName(tx, `sandbox refund ${key}`);

/** Serialises transactions about the refunds of a payment. */
export const lockSandboxRefundsOf = (tx: Tx, paymentId: string): Promise<void> =>
  lockName(tx, `sandbox refunds of ${paymentId}`);

async function lockName(tx: Tx, name: string): Promise<void> {
  await rows(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** The outcomes recorded under a payment key, also those that are reported later. */
export async function sandboxOutcomes(tx: Tx, paymentKey: string): Promise<PaymentOutcome[]> {
  const found = await table(tx, SandboxPayment).all(['status'], { paymentKey });
  return found.map(({ status }) => status);
}

/** Records a payment and the report of it, which is due after the delay. */
export async function insertSandboxPayment(
  tx: Tx,
  { key: paymentKey, amountMinor, currency, at, feeBp = 0 }: AttemptedPayment,
  { status, delayMs }: SandboxEntry,
): Promise<SandboxReport> {
  const [paymentId, eventId] = [v7(), v7()];
  const createdAt = new Date(at.getTime() + delayMs);
  const feeMinor = status === 'PAID' ? Number((BigInt(amountMinor) * BigInt(feeBp)) / 10_000n) : 0;
  const payment = { id: paymentId, paymentKey, amountMinor, feeMinor, currency, status, createdAt };
  await table(tx, SandboxPayment).insert(payment);
  const event = { id: eventId, type: paymentReportType(status), paymentId, delayMs, createdAt: at };
  await table(tx, SandboxEvent).insert({ ...event, deliveredAt: null });
  return { eventId, delayMs };
}

/** Records that a report was accepted. Recorded before: the first moment stays. */
export async function markSandboxEventDelivered(db: Db, id: string, at: Date): Promise<void> {
  await table(db, SandboxEvent).update({ deliveredAt: at }, { id, deliveredAt: null });
}

export interface SandboxRefundOrder {
  key: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** A payment with the amount that no refund has given back; null for what the sandbox does not know. */
export const refundableSandboxPayment = (
  tx: Tx,
  paymentId: string,
): Promise<{ status: PaymentOutcome; currency: string; leftMinor: number } | null> =>
  firstRow(
    tx,
    `SELECT status, currency, amount_minor - COALESCE(
              (SELECT sum(r.amount_minor) FROM sandbox_refunds r WHERE r.payment_id = p.id::text), 0
            )::bigint AS left_minor
       FROM sandbox_payments p WHERE id = $1`,
    [paymentId],
  );

/** Records a refund; returns the sandbox's id of it. */
export async function insertSandboxRefund(
  tx: Tx,
  { key, paymentId, amountMinor, currency }: SandboxRefundOrder,
): Promise<string> {
  const id = v7();
  await execute(
    tx,
    `INSERT INTO sandbox_refunds (key, id, payment_id, amount_minor, currency, created_at)
       VALUES ($1, $2, $3, $4, $5, now())`,
    [key, id, paymentId, amountMinor, currency],
  );
  return id;
}
