import { PAYABLE_IDS, type PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { bankReference } from './bank-reference';
import type { Capture } from './capture.transitions';
import { payableColumns } from './payable';
import { PaymentCapture } from './payment-capture.model';

/** A recorded payment of a provider; null when it is not recorded. */
export const captureOf = (
  tx: Tx,
  provider: string,
  providerPaymentId: string,
): Promise<Pick<Capture, 'id' | 'applied' | 'amountMinor' | 'currency' | keyof PayableIds> | null> =>
  table(tx, PaymentCapture).one([...PAYABLE_IDS, 'id', 'applied', 'amountMinor', 'currency'], {
    provider,
    providerPaymentId,
  });

/** The transfer that is recorded under a bank's reference, however that was written; null when there is none. */
export function transferOf(
  tx: Tx,
  reference: string,
): Promise<Pick<Capture, 'id' | keyof PayableIds | 'amountMinor' | 'applied'> | null> {
  return firstRow(
    tx,
    `SELECT id, ${payableColumns()}, amount_minor, applied
     FROM payment_captures WHERE provider = 'bank' AND ${bankReference('provider_payment_id')} = ${bankReference('$1')}`,
    [reference],
  );
}
