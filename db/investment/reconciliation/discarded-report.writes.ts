import type { Attributes } from 'sequelize';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import type { InvestmentReport } from './investment-report.model';

type Movement = Pick<Attributes<InvestmentReport>, 'providerCode' | 'type' | 'externalId'>;

interface HeldMovement {
  investmentExternalId: string;
  amountMinor: number;
  penaltyMinor: number;
  currency: string;
  /** Null for a payment or a payout that was made here. */
  webhookEventId: string | null;
  reportedAt: Date;
  occurredAt: Date;
}

/**
 * Removes what the reconciliation has read of a locked report that a person discards. Where it had replaced what other reports
 * say of the same movement, those are read again; what is booked of it counts as reported until then, and for good where the
 * text of its report is deleted.
 */
export async function forgetReported(tx: Tx, webhookEventId: string): Promise<void> {
  const movement = await firstRow<Movement>(
    tx,
    'DELETE FROM investment_reports WHERE webhook_event_id = $1 RETURNING provider_code, type, external_id',
    [webhookEventId],
  );
  if (!movement) return;
  const held = await heldOf(tx, movement);
  if (held) await keepHeld(tx, movement, { ...held, webhookEventId: held.webhookEventId ?? webhookEventId });
  await execute(
    tx,
    `UPDATE webhook_events SET reconciled_at = NULL
      WHERE provider = $1 AND movement = $2
        AND kind = 'INVESTMENT' AND body IS NOT NULL AND status <> 'DISCARDED'`,
    [movement.providerCode, movement.externalId],
  );
}

async function keepHeld(
  tx: Tx,
  { providerCode, type, externalId }: Movement,
  held: HeldMovement,
): Promise<void> {
  const { amountMinor, penaltyMinor, currency } = held;
  const major = (minor: number): string => String(toMajor(minor, currency));
  await execute(
    tx,
    `INSERT INTO investment_reports (provider_code, type, external_id, investment_external_id, amount, penalty, currency,
       webhook_event_id, reported_at, occurred_at) VALUES ($1, $2, $3, $4, $5::numeric, $6::numeric, $7, $8, $9, $10)`,
    [
      ...[providerCode, type, externalId, held.investmentExternalId, major(amountMinor), major(penaltyMinor)],
      ...[type === 'DEPOSIT' ? currency : null, held.webhookEventId, held.reportedAt, held.occurredAt],
    ],
  );
}

/**
 * A movement as it is booked; null where nothing is. A penalty of ours, in a payout that was made here, counts as paid: its
 * provider owes it to us.
 */
const heldOf = (tx: Tx, { providerCode, type, externalId }: Movement): Promise<HeldMovement | null> =>
  firstRow(
    tx,
    `WITH named AS (
       SELECT id FROM participations
        WHERE provider_code = $1 AND ($2 = 'DEPOSIT' AND external_id = $3 OR $2 = 'WITHDRAWAL' AND payout_external_id = $3)
       UNION SELECT participation_id FROM investment_transactions WHERE provider_code = $1 AND external_id = $3)
     SELECT p.external_id AS investment_external_id, t.currency, t.webhook_event_id,
            coalesce(sum(t.amount_minor), 0)::bigint AS amount_minor,
            coalesce(sum(t.amount_minor) FILTER (WHERE t.is_kept), 0)::bigint AS penalty_minor,
            coalesce(e.received_at, max(t.occurred_at)) AS reported_at, max(t.occurred_at) AS occurred_at
       FROM named JOIN participations p ON p.id = named.id
         JOIN (SELECT *, type = 'PENALTY' AND external_id IS NOT NULL AS is_kept FROM investment_transactions) t
           ON t.participation_id = p.id
         LEFT JOIN webhook_events e ON e.id = t.webhook_event_id
      WHERE p.external_id IS NOT NULL AND CASE t.type WHEN 'PENALTY' THEN 'WITHDRAWAL' ELSE t.type END = $2
        AND CASE t.type WHEN 'DEPOSIT' THEN p.external_id WHEN 'PROFIT' THEN t.external_id
          ELSE coalesce(t.external_id, p.payout_external_id) END = $3
      GROUP BY p.external_id, t.currency, t.webhook_event_id, e.received_at`,
    [providerCode, type, externalId],
  );
