import { v7 } from 'uuid';
import { announce } from './domain-event.writes';
import { firstRow, type Tx } from '../../sql/query';
import { refundedByCategory } from './refunded-category.reads';

/** A part of an order whose money is certainly back with its buyer. */
interface ReturnedSale {
  orderId: string;
  goodsMinor: number;
  shippingMinor: number;
  taxMinor: number;
  /** The part of its money that lost chargebacks have paid. */
  chargedBackMinor: number;
  currency: string;
}

/** The money `p` of refunds that lost chargebacks of what paid for the order have paid. A fragment. */
const chargedBack = (which: string): string =>
  `(SELECT coalesce(sum(p.amount_minor), 0)::bigint FROM payment_refunds p JOIN payment_captures c ON c.id = p.capture_id
    WHERE ${which} AND p.status = 'CHARGED_BACK' AND c.applied)`;

/** Announces that all money of a request is back, once. The order is locked. */
export async function announceRefund(tx: Tx, refundRequestId: string, at: string): Promise<void> {
  const returned = await firstRow<ReturnedSale>(
    tx,
    `SELECT r.order_id, r.goods_back_minor AS goods_minor, r.shipping_back_minor AS shipping_minor,
       r.goods_tax_back_minor + r.shipping_tax_back_minor AS tax_minor, r.currency,
       ${chargedBack('p.refund_request_id = r.id')} AS charged_back_minor
     FROM refund_requests r WHERE r.id = $1 AND r.status = 'COMPLETED'`,
    [refundRequestId],
  );
  if (!returned) throw new Error(`Refund request ${refundRequestId} is not completed.`);
  await announceReturned(tx, refundRequestId, returned, at);
}

/**
 * Announces that all money which the cancellation of a paid order returns is back, once; nothing while some of it is on its
 * way or was given up. Requests approved before are announced by themselves. The order is locked.
 */
export async function announceCancellation(tx: Tx, orderId: string, at: string): Promise<void> {
  const returned = await firstRow<ReturnedSale>(
    tx,
    `SELECT o.id AS order_id, o.currency, o.subtotal_minor - o.discount_minor - before.goods AS goods_minor,
       o.shipping_minor - before.shipping AS shipping_minor, o.tax_minor - before.tax AS tax_minor,
       ${chargedBack(`p.order_id = o.id AND p.reason = 'CANCELLATION'`)} AS charged_back_minor
     FROM orders o CROSS JOIN LATERAL (
       SELECT coalesce(sum(r.goods_back_minor), 0)::bigint AS goods, coalesce(sum(r.shipping_back_minor), 0)::bigint AS shipping,
         coalesce(sum(r.goods_tax_back_minor + r.shipping_tax_back_minor), 0)::bigint AS tax
       FROM refund_requests r WHERE r.order_id = o.id) AS before
     WHERE o.id = $1 AND o.status = 'CANCELLED' AND o.paid_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM payment_refunds p
         WHERE p.order_id = o.id AND p.reason = 'CANCELLATION' AND p.status IN ('PROCESSING', 'ABANDONED'))`,
    [orderId],
  );
  if (!returned) return;
  await announceReturned(tx, null, returned, at);
}

/**
 * The amount of money on its way back that belongs to an announced refund of what paid for an order; 0 of any other. Who ends it by
 * a chargeback, or owes it again, announces that, since the refund itself is announced once.
 */
export async function announcedMinor(tx: Tx, paymentRefundId: string): Promise<number> {
  const announced = await firstRow<{ amountMinor: number }>(
    tx,
    `SELECT p.amount_minor FROM payment_refunds p JOIN payment_captures c ON c.id = p.capture_id AND c.applied
      WHERE p.id = $1 AND p.reason IN ('REFUND', 'CANCELLATION') AND EXISTS (SELECT 1 FROM domain_events e
        WHERE e.reference = 'refund.completed:' || coalesce(p.refund_request_id, p.order_id))`,
    [paymentRefundId],
  );
  return announced?.amountMinor ?? 0;
}

/** Announces that lost chargebacks paid this money, if its refund was announced before. What was paid for is locked. */
export async function announceChargedBack(
  tx: Tx,
  {
    id,
    orderId,
    refundRequestId,
    currency,
  }: { id: string; orderId: string | null; refundRequestId: string | null; currency: string },
  at: string,
): Promise<void> {
  const amountMinor = orderId === null ? 0 : await announcedMinor(tx, id);
  if (orderId === null || amountMinor === 0) return;
  const ending = { endingId: v7(), amountMinor, currency };
  await announce(tx, { type: 'refund.charged_back', orderId, refundRequestId, ...ending }, at);
}

/** Announces it with its goods by category, as they are divided now and for good. */
async function announceReturned(
  tx: Tx,
  refundRequestId: string | null,
  returned: ReturnedSale,
  at: string,
): Promise<void> {
  const categories = await refundedByCategory(tx, refundRequestId, returned);
  await announce(tx, { type: 'refund.completed', refundRequestId, ...returned, categories }, at);
}
