import { execute, type Db } from '../../../../../db/sql/query';
import type { Participation } from './options';

/** Adds profits of 1.00 to a participation, one each day from `at` on, by one statement. */
export async function addProfits(db: Db, { id }: Participation, count: number, at: Date): Promise<void> {
  await execute(
    db,
    `WITH made AS (
       INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code, occurred_at, created_at)
     SELECT gen_random_uuid(), p.id, p.user_id, 'PROFIT', 100, p.currency, p.provider_code,
            $3::timestamptz + n * interval '1 day', $3::timestamptz + n * interval '1 day'
       FROM participations p, generate_series(1, $2::int) AS n WHERE p.id = $1
       RETURNING *),
     posted AS (
       INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
       SELECT id, 'profit', id, created_at FROM made),
     booked AS (
       INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
       SELECT id, account, currency, amount, created_at FROM made CROSS JOIN LATERAL (VALUES ('investments', 100),
         ('clearing_provider_' || provider_code, -100)) AS line (account, amount)),
     announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT gen_random_uuid(), 'profit.distributed', 'profit.distributed:' || id, participation_id,
            jsonb_build_object('participationId', participation_id, 'transactionId', id, 'userId', user_id,
              'amountMinor', amount_minor, 'currency', currency), occurred_at
       FROM made RETURNING position, entity_id, type, occurred_at)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at) SELECT 'commissions', position, entity_id, type, occurred_at FROM announced`,
    [id, count, at],
  );
  await execute(db, 'UPDATE participations SET earned_minor = earned_minor + $2::int * 100 WHERE id = $1', [
    id,
    count,
  ]);
}
