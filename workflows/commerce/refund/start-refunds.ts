import { startDetached } from '../../kit/proxies';
import type { RefundDue } from '../order/order.contract';
import { paymentRefundProcess } from './payment-refund.contract';

/** Starts the processes of refunds that are due; one that runs already goes on as it is. */
export async function startRefunds(refunds: readonly RefundDue[]): Promise<void> {
  for (const refund of refunds) await startDetached(paymentRefundProcess, refund);
}
