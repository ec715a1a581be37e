import { execute, firstRow, type Tx } from '../../../sql/query';
import { table } from '../../../sql/table';
import { PaymentRefund as RefundModel } from '../payment-refund.model';
import type { PaymentRefund } from '../refund.transitions';

/** Records when the provider is asked; committed before the call, so that every later try looks it up, and knows how old the call is. */
export async function markAsked(
  tx: Tx,
  { id, sendings }: Pick<PaymentRefund, 'id' | 'sendings'>,
  at: Date,
): Promise<void> {
  await execute(tx, 'UPDATE payment_refunds SET asked_at = $2, asked_sendings = $3 WHERE id = $1', [
    id,
    at,
    sendings,
  ]);
}

/**
 * Records an attempt that the provider has carried out, or has under way, and that is later than any known here: a database that was
 * restored from a copy has lost it. Does nothing for an attempt that is known.
 */
export async function markFound(tx: Tx, id: string, attempt: number, at: string): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_refunds SET sendings = $2, asked_sendings = $2, asked_at = coalesce(asked_at, $3)
     WHERE id = $1 AND sendings < $2 AND status IN ('PROCESSING', 'ABANDONED')`,
    [id, attempt, at],
  );
}

/**
 * Records that the provider has refused an attempt for certain: the next try has another key. Does nothing where that was recorded
 * before.
 */
export async function markRefused(
  tx: Tx,
  { id, sendings }: Pick<PaymentRefund, 'id' | 'sendings'>,
  at: string,
): Promise<void> {
  const next = { sendings: sendings + 1, pendingSince: null, answeredAt: new Date(at) };
  await table(tx, RefundModel).update(next, { id, sendings, status: 'PROCESSING' });
}

/** The number of attempts to send the money of a request, those of its parts together; it rises with each, and with each part that a chargeback
 * has paid, after whose return the same attempt goes on. */
export async function attemptsOfRequest(tx: Tx, refundRequestId: string): Promise<number> {
  const attempts = await firstRow<{ count: number }>(
    tx,
    'SELECT (coalesce(sum(sendings), 0) + count(chargeback_id))::integer AS count FROM payment_refunds WHERE refund_request_id = $1',
    [refundRequestId],
  );
  return attempts?.count ?? 0;
}
