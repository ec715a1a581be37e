import { v7 } from 'uuid';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { reopenRefundedPayment } from '../payment/capture.transitions';
import { bookRefundChargedBack, bookRefundOwedAgain } from './chargeback-ledger.transitions';
import { concludePayment } from '../refund/refund.transitions';

/** A refund, or the part of one, that reached the buyer by a chargeback. */
export interface ChargedBackRefund {
  /** The refund that has ended; another than the one asked for when only a part of that is covered. */
  id: string;
  orderId: string;
  refundRequestId: string | null;
  amountMinor: number;
  currency: string;
}

/**
 * Ends an unsent refund as far as chargebacks that we lost have paid it: refunds and lost chargebacks together never
 * count for more than the capture. The rest of it stays as it is, with its id. Null when nothing is covered. The order is
 * locked, and it is certain that the provider has not sent the refund.
 */
export async function endByChargeback(
  tx: Tx,
  refundId: string,
  at: string,
): Promise<ChargedBackRefund | null> {
  const refund = await firstRow<
    Omit<ChargedBackRefund, 'id'> & { captureId: string; coveredMinor: number; chargebackId: string }
  >(
    tx,
    `SELECT r.order_id, r.refund_request_id, r.amount_minor, r.currency,
       c.id AS capture_id, lost.chargeback_id, least(r.amount_minor,
         greatest(0, c.refunded_minor + lost.minor - c.amount_minor) - c.refunds_charged_back_minor)::bigint AS covered_minor
     FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
       CROSS JOIN LATERAL (${LOST}) AS lost
     WHERE r.id = $1 AND r.status IN ('PROCESSING', 'ABANDONED')`,
    [refundId],
  );
  if (!refund || refund.coveredMinor <= 0) return null;
  const { orderId, refundRequestId, captureId, chargebackId, coveredMinor, currency } = refund;
  const id = coveredMinor < refund.amountMinor ? await splitOff(tx, refundId, coveredMinor) : refundId;
  await execute(
    tx,
    `UPDATE payment_refunds SET status = 'CHARGED_BACK', chargeback_id = $2, completed_at = $3 WHERE id = $1`,
    [id, chargebackId, at],
  );
  await countChargedBack(tx, captureId, coveredMinor);
  await bookRefundChargedBack(tx, { id, chargebackId, currency, amountMinor: coveredMinor }, at);
  await concludePayment(tx, orderId, at);
  return { id, orderId, refundRequestId, amountMinor: coveredMinor, currency };
}

/** What chargebacks of the capture `c` took for good, and the last of them. */
const LOST = `SELECT coalesce(sum(b.amount_minor), 0)::bigint AS minor,
  (array_agg(b.id ORDER BY b.updated_at DESC, b.id DESC))[1] AS chargeback_id
  FROM chargebacks b WHERE b.capture_id = c.id AND b.status = 'LOST'`;

/**
 * Refunds of a capture that were given up and that certainly no provider sends, oldest first: it was never asked, or the
 * money came by transfer.
 */
export async function abandonedRefundsOf(tx: Tx, captureId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    `SELECT r.id FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
     WHERE r.capture_id = $1 AND r.status = 'ABANDONED' AND (r.asked_at IS NULL OR c.provider = 'bank')
     ORDER BY r.created_at, r.id`,
    [captureId],
  );
  return found.map(({ id }) => id);
}

/** Refunds of a capture whose processes a decided chargeback concerns; of those given up, what may have been sent. */
export function refundsToWake(tx: Tx, captureId: string): Promise<{ refundId: string; orderId: string }[]> {
  return rows(
    tx,
    `SELECT r.id AS refund_id, r.order_id FROM payment_refunds r
       JOIN payment_captures c ON c.id = r.capture_id
     WHERE r.capture_id = $1 AND (r.status IN ('PROCESSING', 'CHARGED_BACK')
       OR (r.status = 'ABANDONED' AND r.asked_at IS NOT NULL AND c.provider <> 'bank'))
     ORDER BY r.created_at, r.id`,
    [captureId],
  );
}

/** What of a request's money is still owed, and what its buyer got by chargebacks. */
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

/**
 * A chargeback that is returned pays no refund any more: what it had paid is owed again, and sent. The order is locked, the
 * chargeback RETURNED already and not yet taken off the capture. Answers the requests that the money was asked for by.
 */
export async function oweRefundsAgain(
  tx: Tx,
  { captureId, chargebackId }: { captureId: string; chargebackId: string },
  at: string,
): Promise<string[]> {
  const unpaid = await firstRow<{ minor: number }>(
    tx,
    `SELECT (c.refunds_charged_back_minor - greatest(0, c.refunded_minor + lost.minor - c.amount_minor))::bigint AS minor
     FROM payment_captures c CROSS JOIN LATERAL (${LOST}) AS lost WHERE c.id = $1`,
    [captureId],
  );
  let leftMinor = unpaid?.minor ?? 0;
  if (leftMinor <= 0) return [];
  const ended = await rows<Ended>(
    tx,
    `SELECT id, order_id, refund_request_id, amount_minor, currency,
       chargeback_id
     FROM payment_refunds WHERE capture_id = $1 AND status = 'CHARGED_BACK'
     ORDER BY chargeback_id = $2 DESC, completed_at DESC, id DESC`,
    [captureId, chargebackId],
  );
  const requests = new Set<string>();
  for (const refund of ended) {
    if (leftMinor === 0) break;
    const owedMinor = Math.min(leftMinor, refund.amountMinor);
    await oweAgain(tx, refund, { owedMinor, chargebackId, captureId }, at);
    if (refund.refundRequestId !== null) requests.add(refund.refundRequestId);
    leftMinor -= owedMinor;
  }
  if (leftMinor !== 0)
    throw new Error(`Of capture ${captureId}, ${leftMinor} more were charged back than its refunds.`);
  return [...requests];
}

/** The chargeback that had paid a request is returned: a request that was done has failed. The order is locked. */
export async function owedAgain(tx: Tx, refundRequestId: string, at: string): Promise<void> {
  await execute(
    tx,
    `UPDATE refund_requests SET status = 'FAILED', concluded_at = $2 WHERE id = $1 AND status = 'COMPLETED'`,
    [refundRequestId, at],
  );
}

type Ended = ChargedBackRefund & { chargebackId: string };

/** What stays paid by a chargeback is split off and booked anew, so that each refund is booked by what it is. */
async function oweAgain(
  tx: Tx,
  { id, orderId, currency, amountMinor, chargebackId: paidBy }: Ended,
  { owedMinor, chargebackId, captureId }: { owedMinor: number; chargebackId: string; captureId: string },
  at: string,
): Promise<void> {
  await bookRefundOwedAgain(tx, { id, chargebackId, currency, amountMinor }, at);
  const paidMinor = amountMinor - owedMinor;
  if (paidMinor > 0) {
    const paid = { id: await splitOff(tx, id, paidMinor), chargebackId: paidBy, currency };
    await bookRefundChargedBack(tx, { ...paid, amountMinor: paidMinor }, at);
  }
  await execute(tx, `UPDATE payment_refunds SET status = 'PROCESSING', completed_at = NULL WHERE id = $1`, [
    id,
  ]);
  await countChargedBack(tx, captureId, -owedMinor);
  await reopenRefundedPayment(tx, orderId, at);
}

/** Makes a part of a refund one of its own, in the same state; answers its id. */
async function splitOff(tx: Tx, refundId: string, amountMinor: number): Promise<string> {
  const id = v7();
  await execute(tx, `UPDATE payment_refunds SET amount_minor = amount_minor - $2 WHERE id = $1`, [
    refundId,
    amountMinor,
  ]);
  await execute(
    tx,
    `INSERT INTO payment_refunds (id, order_id, capture_id, reason, refund_request_id, amount_minor, currency, status,
       asked_at, created_at, completed_at, chargeback_id, split_from)
     SELECT $2, order_id, capture_id, reason, refund_request_id, $3, currency, status, asked_at, created_at,
       completed_at, chargeback_id, id
     FROM payment_refunds WHERE id = $1`,
    [refundId, id, amountMinor],
  );
  return id;
}

async function countChargedBack(tx: Tx, captureId: string, amountMinor: number): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_captures SET refunds_charged_back_minor = refunds_charged_back_minor + $2 WHERE id = $1`,
    [captureId, amountMinor],
  );
}
