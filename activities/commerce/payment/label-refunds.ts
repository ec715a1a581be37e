import { refundsByIds } from '../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../db/sql/query';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';

/** Refunds with their buyers and labels, by which their processes are found. */
export async function labelled(tx: Tx, refunds: readonly RefundDue[]): Promise<RefundDue[]> {
  if (refunds.length === 0) return [];
  const found = await refundsByIds(
    tx,
    refunds.map(({ refundId }) => refundId),
  );
  const known = new Map(found.map((refund) => [refund.id, refund]));
  return refunds.map((refund) => {
    const row = known.get(refund.refundId);
    return row ? { ...refund, userId: row.userId, label: moneyLabel(row) } : refund;
  });
}
