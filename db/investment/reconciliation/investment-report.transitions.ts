import type { Attributes } from 'sequelize';
import { execute, rows, type Db, type Tx } from '../../sql/query';
import type { WebhookEvent } from '../../administration/webhook/webhook-event.model';
import type { InvestmentReport } from './investment-report.model';

export type UnreadReport = Pick<Attributes<WebhookEvent>, 'id' | 'provider' | 'type' | 'receivedAt'> & {
  body: string;
};

/** A report to read it after. */
export interface ReportPlace {
  receivedAt: string;
  id: string;
}

/** Reports of providers that were not read yet and still have their body, oldest first, behind a place. */
export const unreadReports = (db: Db, after: ReportPlace | null, limit: number): Promise<UnreadReport[]> =>
  rows(
    db,
    `SELECT id, provider, type, body, received_at FROM webhook_events
      WHERE kind = 'INVESTMENT' AND reconciled_at IS NULL AND body IS NOT NULL
        AND (received_at, id) > (coalesce($1::timestamptz, '-infinity'), coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'))
      ORDER BY received_at, id LIMIT $3`,
    [after?.receivedAt ?? null, after?.id ?? null, limit],
  );

/** A movement that a provider reports; amounts in major units. */
export type ReportedMovement = Pick<
  Attributes<InvestmentReport>,
  | 'providerCode'
  | 'type'
  | 'externalId'
  | 'investmentExternalId'
  | 'webhookEventId'
  | 'reportedAt'
  | 'occurredAt'
> & {
  currency: string | null;
  amount: number;
  /** Kept by the provider of what it pays out. */
  penalty: number;
};

/** True if the movement that the report `r` names was booked, or its payout confirmed, for the investment that it is about. */
const isApplied = (r: string): string => `EXISTS (
  SELECT 1 FROM participations p
   WHERE p.provider_code = ${r}.provider_code AND p.external_id = ${r}.investment_external_id
     AND ((${r}.type = 'WITHDRAWAL' AND p.payout_external_id = ${r}.external_id) OR EXISTS (
       SELECT 1 FROM investment_transactions t
        WHERE t.participation_id = p.id AND t.external_id = ${r}.external_id
          AND CASE t.type WHEN 'PENALTY' THEN 'WITHDRAWAL' ELSE t.type END = ${r}.type)))`;

/**
 * Marks the events as read and stores what they report, of each movement the provider's last word. One that a person discards
 * meanwhile is not stored: the events are locked first. A report that was applied stays one about its investment: a later one
 * with the same id about another investment is never applied, and replaces nothing. One that says the same again changes
 * nothing either, so that what is settled stays so.
 */
export async function keepReports(
  tx: Tx,
  movements: readonly ReportedMovement[],
  eventIds: readonly string[],
  at: Date,
): Promise<void> {
  await execute(tx, 'UPDATE webhook_events SET reconciled_at = $2 WHERE id = ANY ($1::uuid[])', [
    eventIds,
    at,
  ]);
  const column = <Key extends keyof ReportedMovement>(key: Key) => movements.map((movement) => movement[key]);
  await execute(
    tx,
    `INSERT INTO investment_reports AS kept (provider_code, type, external_id, investment_external_id, amount, penalty,
         currency, webhook_event_id, reported_at, occurred_at)
       SELECT DISTINCT ON (provider_code, type, external_id) provider_code, type, external_id, investment_external_id,
           amount, penalty, currency, event_id, reported_at, occurred_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::text[], $8::uuid[],
           $9::timestamptz[], $10::timestamptz[]) AS r (provider_code, type, external_id, investment_external_id, amount,
           penalty, currency, event_id, reported_at, occurred_at)
        WHERE NOT EXISTS (SELECT 1 FROM webhook_events e WHERE e.id = r.event_id AND e.status = 'DISCARDED')
        ORDER BY provider_code, type, external_id, ${isApplied('r')} DESC, reported_at DESC
     ON CONFLICT (provider_code, type, external_id) DO UPDATE
       SET investment_external_id = excluded.investment_external_id, amount = excluded.amount,
         penalty = excluded.penalty, currency = excluded.currency, webhook_event_id = excluded.webhook_event_id,
         reported_at = excluded.reported_at, occurred_at = excluded.occurred_at
       WHERE kept.reported_at <= excluded.reported_at
         AND (kept.investment_external_id, kept.amount, kept.penalty, kept.currency)
           IS DISTINCT FROM (excluded.investment_external_id, excluded.amount, excluded.penalty, excluded.currency)
         AND (kept.investment_external_id = excluded.investment_external_id OR NOT ${isApplied('kept')})`,
    [
      ...[column('providerCode'), column('type'), column('externalId'), column('investmentExternalId')],
      ...[column('amount').map(String), column('penalty').map(String), column('currency')],
      ...[column('webhookEventId'), column('reportedAt'), column('occurredAt')],
    ],
  );
}
