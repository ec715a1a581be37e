import type { Attributes } from 'sequelize';
import { PAYABLE_IDS, type PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { PaymentCapture } from '../payment/payment-capture.model';

const DISPUTED = [...PAYABLE_IDS, 'id', 'applied', 'amountMinor', 'chargedBackMinor', 'currency'] as const;

/** Captured money that a buyer's bank may take back. */
export type DisputedCapture = Pick<Attributes<PaymentCapture>, (typeof DISPUTED)[number]>;

/** The thing that a provider's payment belongs to, which is locked before its money; null when the payment is not recorded. */
export const payableOfCapture = (
  tx: Tx,
  provider: string,
  providerPaymentId: string,
): Promise<PayableIds | null> =>
  table(tx, PaymentCapture).one(PAYABLE_IDS, {
    provider,
    providerPaymentId,
  });

/** Locks a payment of a provider. What it belongs to is locked already, as everywhere, so that no two wait for each other. */
export const lockDisputedCapture = (
  tx: Tx,
  provider: string,
  providerPaymentId: string,
): Promise<DisputedCapture | null> =>
  table(tx, PaymentCapture).one(DISPUTED, { provider, providerPaymentId }, { lock: 'UPDATE' });

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
