import type { Attributes } from 'sequelize';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { payableSql } from './payable';
import type { PaymentCapture } from './payment-capture.model';

/**
 * Money that arrived for something. `applied`: it paid that; else it is owed back. The provider's id of the payment is
 * unique with the provider, so that the same money is never counted twice.
 */
export type Capture = Pick<
  Attributes<PaymentCapture>,
  | keyof PayableIds
  | 'id'
  | 'attemptId'
  | 'provider'
  | 'providerPaymentId'
  | 'amountMinor'
  | 'currency'
  | 'applied'
>;

/** Records money that arrived; false when this very payment is recorded already. */
export async function recordCapture(tx: Tx, capture: Capture, at: string): Promise<boolean> {
  const { column, id } = payableSql(capture);
  const written = await execute(
    tx,
    `INSERT INTO payment_captures
       (id, attempt_id, ${column}, provider, provider_payment_id, amount_minor, currency, applied, captured_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT ON CONSTRAINT payment_captures_provider_payment_key DO NOTHING`,
    [
      capture.id,
      capture.attemptId,
      id,
      capture.provider,
      capture.providerPaymentId,
      capture.amountMinor,
      capture.currency,
      capture.applied,
      at,
    ],
  );
  return written === 1;
}

/** The money that paid an order, and how much of it is on its way back or gone. */
export type AppliedCapture = Pick<
  Attributes<PaymentCapture>,
  | 'id'
  | 'amountMinor'
  | 'refundedMinor'
  /** Here without the amount that refunds were counted for. */
  | 'chargedBackMinor'
  | 'currency'
> & {
  /** The amount that may still be sent back. */
  leftMinor: number;
};

/** The capture that paid an order, locked; null when the order was paid only from balances, or not at all. */
export function appliedCapture(tx: Tx, orderId: string): Promise<AppliedCapture | null> {
  return firstRow(
    tx,
    `SELECT id, amount_minor, refunded_minor,
       charged_back_minor - refunds_charged_back_minor AS charged_back_minor,
       greatest(0, amount_minor - refunded_minor - charged_back_minor + refunds_charged_back_minor) AS left_minor,
       currency
     FROM payment_captures WHERE order_id = $1 AND applied FOR UPDATE`,
    [orderId],
  );
}

/** Counts an amount that goes back of an order's price, at most the price (`orders_refunded_check`). The order is locked. */
export async function countRefunded(tx: Tx, orderId: string, amountMinor: number, at: string): Promise<void> {
  await execute(tx, `UPDATE orders SET refunded_minor = refunded_minor + $2, updated_at = $3 WHERE id = $1`, [
    orderId,
    amountMinor,
    at,
  ]);
}
