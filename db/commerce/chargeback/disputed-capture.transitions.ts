import type { Attributes } from 'sequelize';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { lockOrder } from '../order/order.transitions';
import { PaymentCapture } from '../payment/payment-capture.model';

const DISPUTED = ['id', 'orderId', 'amountMinor', 'chargedBackMinor', 'currency'] as const;

/** Captured money that a buyer's bank may take back. */
export type DisputedCapture = Pick<Attributes<PaymentCapture>, (typeof DISPUTED)[number]> & {
  orderStatus: OrderStatus;
};

/** Locks a payment of a provider: first its order, then its money, as everywhere, so that no two wait for each other. */
export async function lockDisputedCapture(
  tx: Tx,
  provider: string,
  providerPaymentId: string,
): Promise<DisputedCapture | null> {
  const captures = table(tx, PaymentCapture);
  const found = await captures.one(['orderId'], { provider, providerPaymentId });
  if (!found) return null;
  const order = await lockOrder(tx, found.orderId);
  const capture = await captures.one(DISPUTED, { provider, providerPaymentId }, { lock: 'UPDATE' });
  return order && capture && { ...capture, orderStatus: order.status };
}

/** Counts an amount that a bank took of a capture; negative: that it returned. */
export async function countChargeback(tx: Tx, captureId: string, amountMinor: number): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_captures SET charged_back_minor = charged_back_minor + $2 WHERE id = $1`,
    [captureId, amountMinor],
  );
}

/** The amount of a capture that has neither gone back nor been taken by a bank. */
export async function leftOfCapture(tx: Tx, captureId: string): Promise<number> {
  const left = await firstRow<{ minor: number }>(
    tx,
    `SELECT greatest(0, amount_minor - refunded_minor - charged_back_minor + refunds_charged_back_minor) AS minor
     FROM payment_captures WHERE id = $1`,
    [captureId],
  );
  return left?.minor ?? 0;
}
