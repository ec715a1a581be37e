import { bookStrayCapture } from '../../../db/commerce/order/order-ledger.transitions';
import type { Capture } from '../../../db/commerce/payment/capture.transitions';
import { scheduleRefund } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import type { Tx } from '../../../db/sql/query';
import type { Payable } from './payable';

/** Books recorded money that pays nothing as owed, and schedules its return; returns the refund's id. */
export async function returnStrayCapture(
  tx: Tx,
  { strayReason }: Payable,
  capture: Capture,
  at: string,
): Promise<string> {
  await bookStrayCapture(tx, capture, at);
  return scheduleRefund(tx, capture, strayReason, at);
}
