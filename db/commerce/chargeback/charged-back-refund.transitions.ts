import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { payableColumns } from '../payment/payable';
import { PaymentRefund } from '../refund/payment-refund.model';
import { MAY_BE_SENT } from '../refund/refund.transitions';
import { RefundRequest } from '../refund/refund-request.model';

/** The chargebacks of the capture `c` that we lost: their sum, and the id of the last one. */
const LOST = `SELECT coalesce(sum(b.amount_minor), 0)::bigint AS minor,
  (array_agg(b.id ORDER BY b.updated_at DESC, b.id DESC))[1] AS chargeback_id
  FROM chargebacks b WHERE b.capture_id = c.id AND b.status = 'LOST'`;

type RefundRow = Attributes<PaymentRefund>;

/** A refund that is not sent, and the part of it that lost chargebacks of its payment have paid. */
export type CoveredRefund = Pick<
  RefundRow,
  keyof PayableIds | 'captureId' | 'refundRequestId' | 'amountMinor' | 'currency'
> & {
  coveredMinor: number;
  /** The last chargeback of the payment that we lost; there is one wherever `coveredMinor` is positive. */
  chargebackId: string;
};

/**
 * A refund that is not sent, with what lost chargebacks have paid of it: refunds and lost chargebacks together never count
 * for more than the capture. Null when it was sent, or has ended.
 */
export const coveredRefund = (tx: Tx, refundId: string): Promise<CoveredRefund | null> =>
  firstRow<CoveredRefund>(
    tx,
    `SELECT ${payableColumns('r')}, r.refund_request_id, r.amount_minor, r.currency,
       c.id AS capture_id, lost.chargeback_id, least(r.amount_minor,
         greatest(0, c.refunded_minor + lost.minor - c.amount_minor) - c.refunds_charged_back_minor)::bigint AS covered_minor
     FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
       CROSS JOIN LATERAL (${LOST}) AS lost
     WHERE r.id = $1 AND r.status IN ('PROCESSING', 'ABANDONED')`,
    [refundId],
  );

/** Ends a refund that a chargeback has paid. */
export async function endAsChargedBack(tx: Tx, id: string, chargebackId: string, at: string): Promise<void> {
  const changes = { status: 'CHARGED_BACK', chargebackId, completedAt: new Date(at) } as const;
  await table(tx, PaymentRefund).update(changes, { id });
}

/**
 * Refunds of a capture that were given up and that certainly no provider sends, oldest first: it was never asked, or the
 * money came by transfer.
 */
export async function abandonedRefundsOf(tx: Tx, captureId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    `SELECT r.id FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
     WHERE r.capture_id = $1 AND r.status = 'ABANDONED' AND NOT ${MAY_BE_SENT}
     ORDER BY r.created_at, r.id`,
    [captureId],
  );
  return found.map(({ id }) => id);
}

/** Refunds of a capture whose processes a decided chargeback concerns; of those given up, the ones that may be sent. */
export function refundsToWake(tx: Tx, captureId: string): Promise<(PayableIds & { refundId: string })[]> {
  return rows(
    tx,
    `SELECT r.id AS refund_id, ${payableColumns('r')} FROM payment_refunds r
       JOIN payment_captures c ON c.id = r.capture_id
     WHERE r.capture_id = $1 AND (r.status IN ('PROCESSING', 'CHARGED_BACK') OR ${MAY_BE_SENT})
     ORDER BY r.created_at, r.id`,
    [captureId],
  );
}

/** The amounts of a request that are still owed, and that its buyer got by chargebacks. */
export async function paidForRequest(
  tx: Tx,
  id: string,
): Promise<{ unsentMinor: number; chargedBackMinor: number }> {
  const paid = await firstRow<{ unsentMinor: number; chargedBackMinor: number }>(
    tx,
    `SELECT coalesce(sum(amount_minor) FILTER (WHERE status IN ('PROCESSING', 'ABANDONED')), 0)::bigint AS unsent_minor,
       coalesce(sum(amount_minor) FILTER (WHERE status = 'CHARGED_BACK'), 0)::bigint AS charged_back_minor
     FROM payment_refunds WHERE refund_request_id = $1`,
    [id],
  );
  return paid ?? { unsentMinor: 0, chargedBackMinor: 0 };
}

/** The amount of a capture's refunds that is counted as paid by chargebacks, but no longer is; not positive when all is. */
export async function noLongerCoveredMinor(tx: Tx, captureId: string): Promise<number> {
  const uncovered = await firstRow<{ minor: number }>(
    tx,
    `SELECT (c.refunds_charged_back_minor - greatest(0, c.refunded_minor + lost.minor - c.amount_minor))::bigint AS minor
     FROM payment_captures c CROSS JOIN LATERAL (${LOST}) AS lost WHERE c.id = $1`,
    [captureId],
  );
  return uncovered?.minor ?? 0;
}

/** A refund, or the part of one, that reached the buyer by a chargeback. */
export type ChargedBackRefund = Pick<
  RefundRow,
  'id' | keyof PayableIds | 'refundRequestId' | 'amountMinor' | 'currency'
>;

/** Refunds of a capture that ended by chargebacks: first those by this one, then the last that ended. */
export const chargedBackRefunds = (
  tx: Tx,
  captureId: string,
  firstBy: string,
): Promise<(ChargedBackRefund & { chargebackId: string })[]> =>
  rows(
    tx,
    `SELECT id, ${payableColumns()}, refund_request_id, amount_minor, currency,
       chargeback_id
     FROM payment_refunds WHERE capture_id = $1 AND status = 'CHARGED_BACK'
     ORDER BY chargeback_id = $2 DESC, completed_at DESC, id DESC`,
    [captureId, firstBy],
  );

/** A refund that had ended by a chargeback is to be sent again. */
export async function reopenChargedBackRefund(tx: Tx, id: string): Promise<void> {
  await table(tx, PaymentRefund).update({ status: 'PROCESSING', completedAt: null }, { id });
}

/** The chargeback that had paid a request is returned: a completed request has failed. The order is locked. */
export async function failCompletedRequest(tx: Tx, id: string, at: string): Promise<void> {
  await table(tx, RefundRequest).update(
    { status: 'FAILED', concludedAt: new Date(at) },
    { id, status: 'COMPLETED' },
  );
}

/** Makes a part of a refund one of its own, in the same state; returns its id. */
export async function splitRefund(tx: Tx, refundId: string, amountMinor: number): Promise<string> {
  const id = v7();
  await execute(tx, `UPDATE payment_refunds SET amount_minor = amount_minor - $2 WHERE id = $1`, [
    refundId,
    amountMinor,
  ]);
  await execute(
    tx,
    `INSERT INTO payment_refunds (id, ${payableColumns()}, capture_id, reason, refund_request_id, amount_minor,
       currency, status, asked_at, created_at, completed_at, chargeback_id, split_from)
     SELECT $2, ${payableColumns()}, capture_id, reason, refund_request_id, $3, currency, status, asked_at, created_at,
       completed_at, chargeback_id, id
     FROM payment_refunds WHERE id = $1`,
    [refundId, id, amountMinor],
  );
  return id;
}

/** Counts an amount of a capture's refunds that chargebacks have paid; negative: that they no longer pay. */
export async function countRefundsChargedBack(tx: Tx, captureId: string, amountMinor: number): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_captures SET refunds_charged_back_minor = refunds_charged_back_minor + $2 WHERE id = $1`,
    [captureId, amountMinor],
  );
}
