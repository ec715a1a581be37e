import { cancelUnpaid, type Cancellation } from '../../../db/commerce/order/cancel.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import type { Tx } from '../../../db/sql/query';
import { withdrawPlacedMail } from './queue-placed-mail';

/** Cancels an unpaid order, in the caller's transaction, so that no mail asks for its payment. The order is locked. */
export async function cancelUnpaidOrder(
  tx: Tx,
  order: LockedOrder,
  cancellation: Cancellation,
): Promise<void> {
  await cancelUnpaid(tx, order, cancellation);
  await withdrawPlacedMail(tx, order.id);
}
