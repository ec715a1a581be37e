import type { Attributes } from 'sequelize';
import type { PayableIds, PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { lockPayableRow, NUMBER, payableColumns, payableSql, payablesOf, USER_ID } from '../payment/payable';
import { PaymentRefund as RefundModel } from './payment-refund.model';
import { announceCancellation } from '../../administration/domain-event/refund-event.writes';

/** Money on its way back, with what its provider has to know. */
export type PaymentRefund = Pick<
  Attributes<RefundModel>,
  | keyof PayableIds
  | 'id'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'reason'
  | 'refundRequestId'
  | 'settlementReference'
  | 'settlementId'
  | 'chargebackId'
  | 'providerRefundId'
  | 'askedAt'
  | 'sendings'
  | 'returnedReference'
  | 'pendingSince'
> & {
  /** The provider that brought the money, and is to send it back. */
  provider: string;
  /** The provider's own id of the payment. */
  paymentId: string;
  /** The amount by which a bank's chargebacks and refunds that these did not pay exceed the payment. */
  overdrawnMinor: number;
  /** True if the attempt before this one was refused for certain. */
  isRefused: boolean;
  /** True if a chargeback of the payment was lost. */
  isDisputeLost: boolean;
  /** True if it was given up, although its provider was asked before, or unrecorded, and may have sent it. */
  mayBeSent: boolean;
  /** True if it may be sent so and a lost chargeback pays some of it: it ends only when that was looked up. */
  awaitsLookUp: boolean;
  /**
   * True if it may have been sent though it was never requested here: the database was restored from a copy since it was scheduled,
   * or that is longer ago than providers keep keys for certain, and a restore may be unrecorded.
   */
  mayBeSentUnrecorded: boolean;
};

/** True where the refund `r` may have been sent though it was never requested here. */
const MAY_BE_SENT_UNRECORDED = `(r.created_at < now() - interval '1 day'
  OR EXISTS (SELECT 1 FROM restores s WHERE s.restored_at >= r.created_at))`;

/** True where the provider of the capture `c` may have sent its refund `r`, which was given up. */
export const MAY_BE_SENT = `(r.status = 'ABANDONED' AND c.provider <> 'bank'
  AND (r.asked_at IS NOT NULL OR ${MAY_BE_SENT_UNRECORDED}))`;

/** A refund by its id. Throws when there is none: its id came from a process or a row. */
export async function readRefund(db: Db, refundId: string): Promise<PaymentRefund> {
  const refund = await firstRow<PaymentRefund>(
    db,
    `SELECT r.id, ${payableColumns('r')}, c.provider, c.provider_payment_id AS payment_id,
       r.amount_minor, r.currency, r.status, r.reason,
       r.refund_request_id, r.settlement_reference, r.settlement_id,
       greatest(0, c.refunded_minor + c.charged_back_minor - c.refunds_charged_back_minor - c.amount_minor)
         AS overdrawn_minor,
       r.chargeback_id, r.provider_refund_id, r.asked_at, r.sendings, coalesce(r.asked_sendings < r.sendings, false) AS is_refused, r.returned_reference, r.pending_since,
       lost.minor > 0 AS is_dispute_lost,
       ${MAY_BE_SENT_UNRECORDED} AS may_be_sent_unrecorded, ${MAY_BE_SENT} AS may_be_sent,
       (${MAY_BE_SENT} AND c.refunded_minor + lost.minor - c.refunds_charged_back_minor > c.amount_minor) AS awaits_look_up
     FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
       CROSS JOIN LATERAL (SELECT coalesce(sum(b.amount_minor), 0)::bigint AS minor FROM chargebacks b
         WHERE b.capture_id = c.id AND b.status = 'LOST') AS lost
     WHERE r.id = $1`,
    [refundId],
  );
  if (!refund) throw new Error(`There is no refund ${refundId}.`);
  return refund;
}

/** A refund under the lock of what was paid for, which guards all its money. */
export async function lockRefund(tx: Tx, refundId: string): Promise<PaymentRefund> {
  await lockPayableRow(tx, await readRefund(tx, refundId));
  return readRefund(tx, refundId);
}

/** Tells whether there is such a refund. */
export const isRefund = async (db: Db, id: string): Promise<boolean> =>
  (await table(db, RefundModel).count({ id })) > 0;

/** Refunds with their amounts, what was paid for, by its number, and its buyer. */
export const refundsByIds = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; number: string; userId: string; amountMinor: number; currency: string }[]> =>
  rows(
    db,
    `SELECT r.id, ${NUMBER} AS number, ${USER_ID} AS user_id, r.amount_minor, r.currency
     FROM payment_refunds r ${payablesOf('r')} WHERE r.id = ANY ($1)`,
    [ids],
  );

/** A refund of which another was a part, as it is now. */
export type SplitRefund = Pick<
  PaymentRefund,
  'id' | 'amountMinor' | 'status' | 'sendings' | 'providerRefundId'
>;

/** The refunds of which this one was a part, nearest first. */
export const splitOrigins = (db: Db, refundId: string): Promise<SplitRefund[]> =>
  rows<SplitRefund>(
    db,
    `WITH RECURSIVE origin AS (
       SELECT split_from AS id, 1 AS depth FROM payment_refunds WHERE id = $1
       UNION ALL SELECT r.split_from, o.depth + 1 FROM origin o JOIN payment_refunds r ON r.id = o.id)
     SELECT r.id, r.amount_minor, r.status, r.sendings, r.provider_refund_id
     FROM origin o JOIN payment_refunds r ON r.id = o.id ORDER BY o.depth`,
    [refundId],
  );

/** Ends a refund that its provider has sent, though it may have been given up; false when it has ended before. */
export async function markCompleted(
  tx: Tx,
  refundId: string,
  providerRefundId: string,
  at: string,
): Promise<boolean> {
  const completed = await execute(
    tx,
    `UPDATE payment_refunds SET status = 'COMPLETED', provider_refund_id = $2, completed_at = $3
     WHERE id = $1 AND status IN ('PROCESSING', 'ABANDONED')`,
    [refundId, providerRefundId, at],
  );
  return completed === 1;
}

/** A transfer of our bank by which a person sent a refund. */
export interface SettlementByHand {
  reference: string;
  settlementId: string;
  settledBy: string;
  at: string;
}

/**
 * Ends a refund that a person has sent, seen in this status; false when it is no longer in that. Another refund with the
 * same reference violates `payment_refunds_settlement_reference_key`.
 */
export async function markSettled(
  tx: Tx,
  { id, status }: Pick<PaymentRefund, 'id' | 'status'>,
  { reference, settlementId, settledBy, at }: SettlementByHand,
): Promise<boolean> {
  const settlement = { settlementReference: reference, settlementId, settledBy, completedAt: new Date(at) };
  const settled = await table(tx, RefundModel).update({ status: 'COMPLETED', ...settlement }, { id, status });
  return settled === 1;
}

/**
 * Marks a cancelled order or participation as paid back as soon as nothing of its money is on its way or owed; announces that
 * an order's cancellation has returned its money.
 */
export async function concludePayment(tx: Tx, payable: PayableKey, at: string): Promise<void> {
  const { table: payables, column, id } = payableSql(payable);
  await execute(
    tx,
    `UPDATE ${payables} SET payment_status = 'REFUNDED', updated_at = $2
     WHERE id = $1 AND status = 'CANCELLED'
       AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.${column} = $1 AND r.status IN ('PROCESSING', 'ABANDONED'))`,
    [id, at],
  );
  if (payables === 'orders') await announceCancellation(tx, id, at);
}

/** Gives up a refund that is on its way; false when it is not. */
export const markAbandoned = async (tx: Tx, id: string): Promise<boolean> =>
  (await table(tx, RefundModel).update({ status: 'ABANDONED' }, { id, status: 'PROCESSING' })) === 1;
