import type { Attributes } from 'sequelize';
import { kindOf, type PayableIds, type PayableKind } from '../../../workflows/commerce/payable/payable.rules';
import type { PayableStatus } from '../../../workflows/commerce/payment-event/payable-status';
import type { PaymentAttemptStatus } from '../../../workflows/commerce/payment/payment.states';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { PAYABLE_STATUS, payableColumns, payablesOf } from '../payment/payable';
import type { SandboxEvent as EventModel } from './sandbox-event.model';
import type { SandboxPayment as PaymentModel } from './sandbox-payment.model';
import { SandboxRefund } from './sandbox-refund.model';

type PaymentRow = Attributes<PaymentModel>;

export type SandboxPayment = Pick<PaymentRow, 'status' | 'amountMinor' | 'currency'> & { paymentId: string };

/**
 * The sandbox's payments under a key, oldest first. A payment that is to arrive late is recorded with its future moment,
 * and is left out until then.
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

/** The thing that an attempt is to pay, and the attempt itself, as far as the page shows why it cannot be paid. */
export interface PayablePayment {
  kind: PayableKind;
  payable: PayableStatus;
  attempt: PaymentAttemptStatus;
}

/** The thing that a payment is for, by the payment's key; null when the attempt is unknown. */
export async function payablePayment(db: Db, key: string): Promise<PayablePayment | null> {
  const found = await firstRow<PayableIds & Pick<PayablePayment, 'payable' | 'attempt'>>(
    db,
    `SELECT ${payableColumns('a')}, ${PAYABLE_STATUS} AS payable, a.status AS attempt
     FROM payment_attempts a ${payablesOf('a')} WHERE a.id = $1`,
    [key],
  );
  return found && { kind: kindOf(found), payable: found.payable, attempt: found.attempt };
}

/** A refund by its key, with the sandbox's id of it; null when there is none. */
export const sandboxRefundBy = (
  db: Db,
  key: string,
): Promise<Omit<Attributes<SandboxRefund>, 'createdAt'> | null> =>
  table(db, SandboxRefund).one(['key', 'id', 'paymentId', 'amountMinor', 'currency'], { key });

/** The refund that was made by this key, or by that of another attempt of the same; null when there is none. */
export const sandboxRefundOf = (
  db: Db,
  key: string,
): Promise<Pick<Attributes<SandboxRefund>, 'id' | 'key' | 'amountMinor'> | null> =>
  firstRow(
    db,
    `SELECT id, key, amount_minor FROM sandbox_refunds WHERE key ^@ (split_part($1, ':', 1) || ':') OR key = $1
      ORDER BY key = $1 DESC LIMIT 1`,
    [key],
  );

export type SandboxEvent = Pick<Attributes<EventModel>, 'type' | 'createdAt' | 'paymentId'> &
  Pick<PaymentRow, 'amountMinor' | 'currency'> & { key: string; delivered: boolean };

/** One report, with its payment; null when there is none. */
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
 * Reports that were due between two times and were not delivered. Newest first, so that reports which an address has
 * refused for days do not hide one that was never sent.
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
