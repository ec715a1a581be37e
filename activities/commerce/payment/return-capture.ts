import { bookStrayCapture } from '../../../db/commerce/order/order-ledger.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { scheduleRefund, type Capture } from '../../../db/commerce/payment/capture.transitions';
import type { Tx } from '../../../db/sql/query';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';

/** Books recorded money that pays no order as owed, and schedules its return; answers the refund's id. */
export async function returnStrayCapture(
  tx: Tx,
  order: LockedOrder,
  capture: Capture,
  at: string,
): Promise<string> {
  await bookStrayCapture(tx, capture, at);
  return scheduleRefund(tx, capture, STRAY_REASON[order.status] ?? 'DUPLICATE_PAYMENT', at);
}

const STRAY_REASON: Partial<Record<OrderStatus, RefundReason>> = {
  CANCELLED: 'LATE_PAYMENT',
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
};
