import type { Attributes } from 'sequelize';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { NUMBER, payableColumns, payablesOf } from './payable';
import { PaymentAttempt } from './payment-attempt.model';

/** An attempt to pay, with what its provider's page is opened with. `paymentUrl`: the page, if it was opened before. */
export type PaymentToOpen = Pick<
  Attributes<PaymentAttempt>,
  keyof PayableIds | 'provider' | 'method' | 'status' | 'amountMinor' | 'currency' | 'paymentUrl'
> & {
  /** ISO 8601. */
  openedAt: string;
  expiresAt: string;
  /** The number of what is paid for. */
  number: string;
};

/** The attempt with this id; null when there is none. */
export function paymentToOpen(db: Db, attemptId: string): Promise<PaymentToOpen | null> {
  return firstRow<PaymentToOpen>(
    db,
    `SELECT ${payableColumns('a')}, a.provider, a.method, a.status, a.amount_minor, a.currency,
       to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS opened_at,
       to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at,
       ${NUMBER} AS number, a.payment_url
     FROM payment_attempts a ${payablesOf('a')} WHERE a.id = $1`,
    [attemptId],
  );
}

/** Records where an attempt is paid and the provider's name of it; false for an attempt that has a page, and keeps it. */
export async function storePage(
  tx: Tx,
  id: string,
  { paymentUrl, reference: providerReference }: { paymentUrl: string; reference: string | null },
): Promise<boolean> {
  const kept = await table(tx, PaymentAttempt).update(
    { paymentUrl, providerReference },
    { id, paymentUrl: null },
  );
  return kept === 1;
}
