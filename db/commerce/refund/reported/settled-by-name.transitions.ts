import { clearingAccount } from '../../../ledger/ledger.accounts';
import { postNewTransfer } from '../../../ledger/ledger.transitions';
import { firstRow, rows, type Tx } from '../../../sql/query';
import { bankReference } from '../../payment/bank-reference';
import { lockRefund, type PaymentRefund } from '../refund.transitions';

type Settled = Pick<PaymentRefund, 'id' | 'amountMinor' | 'currency' | 'provider'>;

/**
 * Books a refund, which a person has settled under the provider's own id of it, as sent by that provider instead of from our bank account,
 * at the time of the settlement; false when it is not settled so. Throws if it is booked so already. What was paid for is locked.
 */
export async function bookAsSentByProvider(
  tx: Tx,
  { id, amountMinor, currency, provider }: Settled,
  providerRefundId: string,
): Promise<boolean> {
  const sent = await firstRow<{ completedAt: Date }>(
    tx,
    `UPDATE payment_refunds SET provider_refund_id = settlement_reference, settlement_reference = NULL, settlement_id = NULL,
       settled_by = NULL
     WHERE id = $1 AND status = 'COMPLETED' AND settlement_reference = $2 RETURNING completed_at`,
    [id, providerRefundId],
  );
  if (!sent) return false;
  await postNewTransfer(tx, {
    reference: { kind: 'payment-refund-by-provider', subjectId: id, part: providerRefundId },
    entries: [
      { account: clearingAccount('bank'), amountMinor: -amountMinor, currency },
      { account: clearingAccount(provider), amountMinor, currency },
    ],
    at: sent.completedAt,
  });
  return true;
}

/** The refunds in the statement of provider `$1` on day `$2`, and those of which a difference is open. */
const SAID = `
  SELECT m.* FROM provider_movements m WHERE m.provider = $1 AND m.day = $2 AND m.kind = 'REFUND'
  UNION SELECT m.* FROM reconciliation_differences d
    JOIN provider_movements m ON m.provider = $1 AND m.kind = 'REFUND' AND m.provider_id = d.provider_id
   WHERE d.provider = $1 AND d.movement_kind = 'REFUND' AND d.resolved_at IS NULL`;

/**
 * Books as sent by the provider what a person has settled under the ids of refunds that its statement has on a day, or of which a
 * difference is open. Left out are those of another amount, which are differences, those that the provider has undone or could not
 * deliver, and those by which another refund is completed.
 */
export async function bookSettledOfStatement(
  tx: Tx,
  { provider, day }: { provider: string; day: string },
): Promise<void> {
  const said = await rows<{ id: string; providerId: string }>(
    tx,
    `SELECT r.id, m.provider_id FROM (${SAID}) AS m
       JOIN payment_refunds r ON ${bankReference('r.settlement_reference')} = ${bankReference('m.provider_id')}
         AND r.settlement_reference = m.provider_id AND r.amount_minor = m.amount_minor AND r.currency = m.currency
       JOIN payment_captures c ON c.id = r.capture_id AND c.provider = m.provider
      WHERE NOT EXISTS (
        SELECT 1 FROM provider_movements u WHERE u.provider = m.provider AND u.kind = m.kind AND u.reverses = m.provider_id)
        AND NOT EXISTS (
          SELECT 1 FROM failed_refunds f WHERE f.provider = m.provider AND f.provider_refund_id = m.provider_id)
        AND NOT EXISTS (
          SELECT 1 FROM payment_refunds o JOIN payment_captures p ON p.id = o.capture_id
           WHERE o.status = 'COMPLETED' AND o.provider_refund_id = m.provider_id AND p.provider = m.provider)
      ORDER BY r.id`,
    [provider, day],
  );
  for (const { id, providerId } of said) {
    const refund = await lockRefund(tx, id);
    // Another refund of the same payment may have been completed by it until the lock was there.
    if ((await refundSentAs(tx, provider, providerId)) === null)
      await bookAsSentByProvider(tx, refund, providerId);
  }
}

/** The refund of ours that is completed by this refund of the provider; null: none is. */
export async function refundSentAs(
  tx: Tx,
  provider: string,
  providerRefundId: string,
): Promise<string | null> {
  const sent = await firstRow<{ id: string }>(
    tx,
    `SELECT r.id FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
      WHERE r.status = 'COMPLETED' AND r.provider_refund_id = $2 AND c.provider = $1 LIMIT 1`,
    [provider, providerRefundId],
  );
  return sent?.id ?? null;
}

/** The refund of ours that is completed by this refund of the provider, or that a person has settled by its name; null: none is. */
export async function refundNamed(
  tx: Tx,
  provider: string,
  providerRefundId: string,
): Promise<string | null> {
  const sent = await refundSentAs(tx, provider, providerRefundId);
  if (sent !== null) return sent;
  const settled = await firstRow<{ id: string }>(
    tx,
    `SELECT r.id FROM payment_refunds r
      WHERE ${bankReference('r.settlement_reference')} = ${bankReference('$1::text')} AND r.settlement_reference = $1`,
    [providerRefundId],
  );
  return settled?.id ?? null;
}
