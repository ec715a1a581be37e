import type { Attributes } from 'sequelize';
import type { PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db } from '../../sql/query';
import { payableSql } from './payable';
import type { PaymentAttempt } from './payment-attempt.model';

/** An attempt with the way to pay that was offered. */
export type NewestAttempt = Pick<
  Attributes<PaymentAttempt>,
  'provider' | 'method' | 'amountMinor' | 'currency' | 'paymentUrl' | 'bankDetails'
> & {
  attemptId: string;
  /** ISO 8601. */
  expiresAt: string;
};

/** The newest attempt to pay for something; null when none was opened. */
export function newestAttempt(db: Db, payable: PayableKey): Promise<NewestAttempt | null> {
  const { column, id } = payableSql(payable);
  return firstRow<NewestAttempt>(
    db,
    `SELECT id AS attempt_id, provider, method, amount_minor, currency, payment_url, bank_details,
       to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at
     FROM payment_attempts WHERE ${column} = $1 ORDER BY sequence DESC LIMIT 1`,
    [id],
  );
}

/**
 * The attempts that are over, paid nothing and whose page at a company may still be open: EXPIRED are also those whose
 * payable was given up. A fragment over `payment_attempts`.
 */
export const IS_LEFT = `method IN ('CARD', 'EWALLET') AND status NOT IN ('PENDING', 'PAID')`;

/** True if a page may still be open on which something that no longer waits for its payment could be paid. */
export async function hasPagesLeft(db: Db, payable: PayableKey): Promise<boolean> {
  const { column, id } = payableSql(payable);
  const left = await firstRow(
    db,
    `SELECT 1 FROM payment_attempts WHERE ${column} = $1 AND ${IS_LEFT} LIMIT 1`,
    [id],
  );
  return left !== null;
}
