import { sumMinor } from '../../../workflows/commerce/order/pricing.rules';
import type { RefundShares } from '../../../workflows/commerce/refund/refund-claim.rules';
import { firstRow, type Db } from '../../sql/query';
import { BACK } from './refund-request.reads';

/** The result of a cancellation. */
export interface DoneCancellation {
  /** COMPLETED: back with the buyer; PROCESSING: on its way, or still owed; null: nothing had been paid. */
  refundStatus: 'COMPLETED' | 'PROCESSING' | null;
  /** The amount that had not been given back before. */
  refundAmountMinor: number | null;
}

/**
 * The result of an order's cancellation; null when the order is not cancelled. Other money of the order that is on its way
 * belongs to no cancellation.
 */
export async function cancellationOf(db: Db, orderId: string): Promise<DoneCancellation | null> {
  const found = await firstRow<{ totalMinor: number; isPaid: boolean; isOwed: boolean; back: RefundShares }>(
    db,
    `SELECT o.total_minor, o.paid_at IS NOT NULL AS is_paid, ${BACK} AS back,
       EXISTS (SELECT 1 FROM payment_refunds r
         WHERE r.order_id = o.id AND r.reason = 'CANCELLATION' AND r.status IN ('PROCESSING', 'ABANDONED')) AS is_owed
     FROM orders o WHERE o.id = $1 AND o.status = 'CANCELLED'`,
    [orderId],
  );
  if (!found) return null;
  if (!found.isPaid) return { refundStatus: null, refundAmountMinor: null };
  return {
    refundStatus: found.isOwed ? 'PROCESSING' : 'COMPLETED',
    refundAmountMinor: found.totalMinor - sumMinor(Object.values(found.back)),
  };
}

/** The result of the cancellation with this note; null when the order was not cancelled by it. */
export async function cancellationBy(
  db: Db,
  orderId: string,
  noteId: string,
): Promise<DoneCancellation | null> {
  const isBy = await firstRow(
    db,
    `SELECT 1 FROM order_status_changes WHERE order_id = $1 AND note_id = $2 AND status = 'CANCELLED'`,
    [orderId, noteId],
  );
  return isBy && cancellationOf(db, orderId);
}
