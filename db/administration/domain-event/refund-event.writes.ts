import { announce } from './domain-event.writes';
import { firstRow, type Tx } from '../../sql/query';
import { refundedByCategory } from './refunded-category.reads';

/** A part of an order whose money is certainly back with its buyer. */
interface ReturnedSale {
  orderId: string;
  goodsMinor: number;
  shippingMinor: number;
  taxMinor: number;
  currency: string;
}

/** Announces that all money of a request is back, once. The order is locked. */
export async function announceRefund(tx: Tx, refundRequestId: string, at: string): Promise<void> {
  const returned = await firstRow<ReturnedSale>(
    tx,
    `SELECT r.order_id, r.goods_back_minor AS goods_minor, r.shipping_back_minor AS shipping_minor,
       r.goods_tax_back_minor + r.shipping_tax_back_minor AS tax_minor, r.currency
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
       o.shipping_minor - before.shipping AS shipping_minor, o.tax_minor - before.tax AS tax_minor
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
