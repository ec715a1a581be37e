import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { execute, firstRow, type Tx } from '../../sql/query';
import { lockOrder } from '../order/order.transitions';

/** Money of which a buyer's bank takes back what it likes. */
export interface DisputedCapture {
  id: string;
  orderId: string;
  orderStatus: OrderStatus;
  amountMinor: number;
  chargedBackMinor: number;
  currency: string;
}

/** Locks a payment of a provider: first its order, then its money, as everywhere, so that no two wait for each other. */
export async function lockDisputedCapture(
  tx: Tx,
  provider: string,
  paymentId: string,
): Promise<DisputedCapture | null> {
  const which = [provider, paymentId];
  const found = await firstRow<{ orderId: string }>(
    tx,
    `SELECT order_id FROM payment_captures WHERE provider = $1 AND provider_payment_id = $2`,
    which,
  );
  if (!found) return null;
  const order = await lockOrder(tx, found.orderId);
  const capture = await firstRow<Omit<DisputedCapture, 'orderStatus'>>(
    tx,
    `SELECT id, order_id, amount_minor,
       charged_back_minor, currency
     FROM payment_captures WHERE provider = $1 AND provider_payment_id = $2 FOR UPDATE`,
    which,
  );
  return order && capture && { ...capture, orderStatus: order.status };
}

/** Counts what a bank took of a capture; negative: what it returned. */
export async function countChargeback(tx: Tx, captureId: string, amountMinor: number): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_captures SET charged_back_minor = charged_back_minor + $2 WHERE id = $1`,
    [captureId, amountMinor],
  );
}

/** What of a capture has neither gone back nor been taken by a bank. */
export async function leftOfCapture(tx: Tx, captureId: string): Promise<number> {
  const left = await firstRow<{ minor: number }>(
    tx,
    `SELECT greatest(0, amount_minor - refunded_minor - charged_back_minor + refunds_charged_back_minor) AS minor
     FROM payment_captures WHERE id = $1`,
    [captureId],
  );
  return left?.minor ?? 0;
}
