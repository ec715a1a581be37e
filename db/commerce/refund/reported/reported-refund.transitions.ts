import { clearingAccount } from '../../../ledger/ledger.accounts';
import { postNewTransfer } from '../../../ledger/ledger.transitions';
import { execute, firstRow, rows, type Tx } from '../../../sql/query';
import { table } from '../../../sql/table';
import type { PaymentRefund } from '../refund.transitions';
import { FailedRefund } from './failed-refund.model';

/** Records that the provider has a refund and sends it later by itself; each look-up that finds it so is recorded. */
export async function markPending(tx: Tx, id: string, at: string): Promise<void> {
  await execute(
    tx,
    `UPDATE payment_refunds SET pending_since = coalesce(pending_since, $2::timestamptz),
       answered_at = greatest(answered_at, $2::timestamptz)
     WHERE id = $1`,
    [id, at],
  );
}

/**
 * The refunds of a capture that a provider's report is about: by our id, or by the provider's, which two parts of one refund may
 * share, and by which a person may have settled one. The capture's owner is locked.
 */
export async function reportedRefunds(
  tx: Tx,
  captureId: string,
  { refundId, providerRefundId }: { refundId: string | null; providerRefundId: string },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    `SELECT id FROM payment_refunds
     WHERE capture_id = $1 AND (id = $2 OR $3 IN (provider_refund_id, returned_reference, settlement_reference)) ORDER BY id`,
    [captureId, refundId, providerRefundId],
  );
  return found.map(({ id }) => id);
}

/** A refund as its provider names it. */
interface NamedRefund {
  provider: string;
  providerRefundId: string;
}

/** Records that a provider could not deliver a refund, for good. The capture's owner is locked. */
export async function recordFailure(
  tx: Tx,
  { provider, providerRefundId, captureId }: NamedRefund & { captureId: string },
  at: string,
): Promise<void> {
  await execute(
    tx,
    'INSERT INTO failed_refunds (provider, provider_refund_id, capture_id, failed_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [provider, providerRefundId, captureId, at],
  );
}

/** True if the provider could not deliver this refund: a report that it was sent is older. */
export async function hasFailed(tx: Tx, { provider, providerRefundId }: NamedRefund): Promise<boolean> {
  return (await table(tx, FailedRefund).one(['failedAt'], { provider, providerRefundId })) !== null;
}

/** A refund of a capture that is still to be sent, or was given up; null: there is none. The capture's owner is locked. */
export async function unsentRefund(tx: Tx, captureId: string): Promise<string | null> {
  const found = await firstRow<{ id: string }>(
    tx,
    `SELECT id FROM payment_refunds WHERE capture_id = $1 AND status IN ('PROCESSING', 'ABANDONED') ORDER BY id LIMIT 1`,
    [captureId],
  );
  return found?.id ?? null;
}

/** Gives up a refund that its provider had sent, by this id of the provider, and could not deliver; false when it was not sent so. */
export async function markReturned(tx: Tx, id: string, providerRefundId: string): Promise<boolean> {
  const returned = await execute(
    tx,
    `UPDATE payment_refunds SET status = 'ABANDONED', completed_at = NULL, provider_refund_id = NULL, returned_reference = $2,
       sendings = sendings + 1
     WHERE id = $1 AND status = 'COMPLETED' AND provider_refund_id = $2`,
    [id, providerRefundId],
  );
  return returned === 1;
}

/**
 * Books a refund as owed again, since its provider could not deliver what it had sent under this id; the money is back at the provider.
 * Throws if that is booked already.
 */
export async function bookRefundReturned(
  tx: Tx,
  {
    id,
    provider,
    amountMinor,
    currency,
  }: Pick<PaymentRefund, 'id' | 'provider' | 'amountMinor' | 'currency'>,
  providerRefundId: string,
  at: string,
): Promise<void> {
  await postNewTransfer(tx, {
    reference: { kind: 'payment-refund-returned', subjectId: id, part: providerRefundId },
    entries: [
      { account: clearingAccount(provider), amountMinor: -amountMinor, currency },
      { account: 'refunds', amountMinor, currency },
    ],
    at: new Date(at),
  });
}

/** The refund that a request's money is sent by; a request that was approved this moment has one. */
export async function refundOfRequest(tx: Tx, refundRequestId: string): Promise<string> {
  const found = await firstRow<{ id: string }>(
    tx,
    'SELECT id FROM payment_refunds WHERE refund_request_id = $1',
    [refundRequestId],
  );
  if (!found) throw new Error(`Refund request ${refundRequestId} has no refund.`);
  return found.id;
}
