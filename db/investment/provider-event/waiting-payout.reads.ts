import { firstRow, type Tx } from '../../sql/query';

/**
 * SQL that tells whether a report waits that says that the provider of the participation `p` has paid it out. Once one has
 * waited in vain, others do not count until a person has decided on it: a provider could hold the money for ever.
 */
export const AWAITS_PAYOUT = `(EXISTS (SELECT 1 FROM webhook_events w WHERE w.provider = p.provider_code
    AND w.waits_for = p.external_id AND w.kind = 'INVESTMENT' AND w.type = 'investment.withdrawn' AND w.status = 'WAITING')
  AND NOT EXISTS (SELECT 1 FROM webhook_events d WHERE d.provider = p.provider_code AND d.waits_for = p.external_id
    AND d.kind = 'INVESTMENT' AND d.type = 'investment.withdrawn' AND d.status = 'DEAD'))`;

/** True if such a report waits for a locked participation; the lock holds further ones up. */
export async function awaitsPayout(tx: Tx, participationId: string): Promise<boolean> {
  const found = await firstRow<{ awaits: boolean }>(
    tx,
    `SELECT ${AWAITS_PAYOUT} AS awaits FROM participations p WHERE p.id = $1`,
    [participationId],
  );
  return found?.awaits ?? false;
}

/** The participation that is mature and runs on because of a report of its payout; null for any other report. */
export const participationHeldBy = (
  tx: Tx,
  webhookEventId: string,
  at: Date,
): Promise<{ id: string; userId: string } | null> =>
  firstRow(
    tx,
    `SELECT p.id, p.user_id FROM webhook_events w JOIN participations p ON p.provider_code = w.provider
       AND p.external_id = w.subject
     WHERE w.id = $1 AND w.kind = 'INVESTMENT' AND w.type = 'investment.withdrawn'
       AND p.status = 'ACTIVE' AND p.matures_at <= $2`,
    [webhookEventId, at],
  );
