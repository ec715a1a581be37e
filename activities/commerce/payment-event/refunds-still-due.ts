import { openRefunds } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import type { Tx } from '../../../db/sql/query';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import type { PayableRef } from '../../../workflows/commerce/payable/payable.rules';

/**
 * All refunds that are due, not only new ones: the answer of an earlier try may have been lost, and a look-up may have left
 * them without a process. Starting one that runs changes nothing.
 */
export async function refundsStillDue(tx: Tx, ref: PayableRef): Promise<RefundDue[]> {
  const open = await openRefunds(tx, ref);
  return open.map(({ id }) => ({ refundId: id, ...ref }));
}
