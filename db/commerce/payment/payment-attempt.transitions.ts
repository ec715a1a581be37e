import type { Attributes } from 'sequelize';
import type { PayableIds, PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import {
  paymentAttemptStates,
  type PaymentAttemptStatus,
} from '../../../workflows/commerce/payment/payment.states';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { payableColumns, payableSql } from './payable';
import type { PaymentAttempt as AttemptModel } from './payment-attempt.model';

/** One try to pay, as its transitions read it. */
export type PaymentAttempt = Pick<
  Attributes<AttemptModel>,
  | keyof PayableIds
  | 'id'
  | 'sequence'
  | 'provider'
  | 'method'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'providerReference'
  | 'paymentUrl'
> & {
  /** ISO 8601. */
  openedAt: string;
  expiresAt: string;
};

/** True if money of the attempt comes through a company that can be asked about it. */
export const goesThroughProvider = ({ method }: Pick<PaymentAttempt, 'method'>): boolean =>
  method === 'CARD' || method === 'EWALLET';

/** True if a company may have money of the attempt that it did not report: any attempt that is not reported as expired. */
export const mayHoldMoney = (attempt: PaymentAttempt): boolean =>
  goesThroughProvider(attempt) && attempt.status !== 'EXPIRED';

const COLUMNS = `id, ${payableColumns()}, sequence, provider, method, amount_minor, currency, status,
  provider_reference, payment_url,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS opened_at,
  to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at`;

/** The page or the account by which an attempt is paid, as far as it is known when the attempt is opened. */
export type PaymentMeans = Pick<PaymentOffer, 'paymentUrl' | 'bankDetails'>;

/** Opens the next attempt to pay; the ones before it are given up. The caller holds the lock of what is paid for. */
export async function openAttempt(
  tx: Tx,
  attempt: Omit<PaymentAttempt, keyof PayableIds | 'sequence' | 'status' | 'providerReference' | 'openedAt'> &
    PayableKey &
    PaymentMeans & { at: string },
): Promise<void> {
  const { column, id } = payableSql(attempt);
  await execute(
    tx,
    `WITH given_up AS (
       UPDATE payment_attempts SET status = 'CANCELLED', updated_at = $8 WHERE ${column} = $2 AND status = 'PENDING'
     )
     INSERT INTO payment_attempts
       (id, ${column}, sequence, provider, method, amount_minor, currency, status, expires_at, created_at, updated_at,
        payment_url, bank_details)
     SELECT $1, $2, coalesce(max(sequence), 0) + 1, $3, $4, $5, $6, 'PENDING', $7, $8, $8, $9, $10::jsonb
     FROM payment_attempts WHERE ${column} = $2`,
    [
      attempt.id,
      id,
      attempt.provider,
      attempt.method,
      attempt.amountMinor,
      attempt.currency,
      attempt.expiresAt,
      attempt.at,
      attempt.paymentUrl,
      attempt.bankDetails && JSON.stringify(attempt.bankDetails),
    ],
  );
}

/** An attempt by its id, which providers report as our key; without a lock, to find what it pays for first. */
export function attemptById(tx: Tx, attemptId: string): Promise<PaymentAttempt | null> {
  return firstRow<PaymentAttempt>(tx, `SELECT ${COLUMNS} FROM payment_attempts WHERE id = $1`, [attemptId]);
}

/** The attempts to pay for something, newest first. The caller holds its lock, which guards them too. */
export function attemptsOf(tx: Tx, payable: PayableKey): Promise<PaymentAttempt[]> {
  const { column, id } = payableSql(payable);
  return rows<PaymentAttempt>(
    tx,
    `SELECT ${COLUMNS} FROM payment_attempts WHERE ${column} = $1 ORDER BY sequence DESC`,
    [id],
  );
}

/** Moves an attempt along its table of states; false when it may not move there (an older or repeated report). */
export async function moveAttempt(
  tx: Tx,
  attempt: PaymentAttempt,
  to: PaymentAttemptStatus,
  at: string,
): Promise<boolean> {
  if (!paymentAttemptStates.canMove(attempt.status, to)) return false;
  const moved = await execute(
    tx,
    `UPDATE payment_attempts SET status = $3, updated_at = $4 WHERE id = $1 AND status = $2`,
    [attempt.id, attempt.status, to, at],
  );
  return moved === 1;
}

/** Closes the open attempts, as what they are for is paid or given up. */
export async function closeAttempts(
  tx: Tx,
  payable: PayableKey,
  to: Extract<PaymentAttemptStatus, 'EXPIRED' | 'CANCELLED'>,
  at: string,
): Promise<void> {
  const { column, id } = payableSql(payable);
  await execute(
    tx,
    `UPDATE payment_attempts SET status = $2, updated_at = $3 WHERE ${column} = $1 AND status = 'PENDING'`,
    [id, to, at],
  );
}
