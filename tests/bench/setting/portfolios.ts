import type { Client as Postgres } from 'pg';

/** Participations of a portfolio; its profits are spread over them, one a day each. */
const PARTICIPATIONS = 10;

/** Writes the ten strategies of a provider, of every risk, once. */
export async function openStrategies(sql: Postgres): Promise<void> {
  await sql.query(
    `INSERT INTO investment_providers (code, name, created_at, updated_at) VALUES ('bench', 'Bench', now(), now())
       ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `INSERT INTO investment_categories (id, name, slug, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Bench', 'bench', now(), now()) ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `INSERT INTO investment_strategies (id, provider_code, strategy_code, category_id, name, slug, short_description,
       description, return_min_bp, return_max_bp, return_expected_bp, return_type, payout_frequency, min_days, max_days,
       lock_days, min_minor, currency, risk_level, risk_disclosure, status, early_withdrawal_allowed,
       compounding_available, automatic_reinvestment, commission_bp, career_points_bp, created_at, updated_at)
     SELECT gen_random_uuid(), 'bench', 'bench-' || n, c.id, 'Bench ' || n, 'bench-' || n, '-', '-', 600, 1000, 800, 'FIXED',
       'DAILY', 1, 36500, 0, 1, 'USD', (ARRAY['LOW', 'MEDIUM', 'HIGH'])[1 + n % 3], '-', 'ACTIVE', true, true, true, 0, 0,
       now(), now()
     FROM generate_series(1, ${PARTICIPATIONS}) n, investment_categories c WHERE c.slug = 'bench' ON CONFLICT DO NOTHING`,
  );
}

/** Gives a user ten participations with so many transactions together, deposits included. */
export async function addPortfolio(sql: Postgres, userId: string, transactions: number): Promise<void> {
  await openStrategies(sql);
  await sql.query(
    `WITH made AS (
       INSERT INTO participations (id, number, user_id, strategy_id, provider_code, origin, status, amount_minor, currency,
         duration_days, compounding, auto_reinvest, return_min_bp, return_max_bp, return_expected_bp, return_type,
         payout_frequency, lock_days, early_withdrawal_allowed, commission_bp, career_points_bp, payment_status, started_at,
         matures_at, earned_minor, created_at, updated_at)
       SELECT gen_random_uuid(), 'BENCH-' || gen_random_uuid(), $1, s.id, 'bench', 'PROVIDER', 'ACTIVE', 1000000, 'USD', 3650,
         false, false, 600, 1000, 800, 'FIXED', 'DAILY', 0, true, 0, 0, 'PAID', now() - interval '1000 days',
         now() + interval '2650 days', ($2::int - 1) * 100, now(), now()
       FROM investment_strategies s WHERE s.provider_code = 'bench' RETURNING id, user_id, started_at)
     INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code,
       occurred_at, created_at)
     SELECT gen_random_uuid(), m.id, m.user_id, CASE WHEN n = 0 THEN 'DEPOSIT' ELSE 'PROFIT' END,
       CASE WHEN n = 0 THEN 1000000 ELSE 100 END, 'USD', 'bench', m.started_at + n * interval '1 day',
       m.started_at + n * interval '1 day'
     FROM made m, generate_series(0, $2::int - 1) n`,
    [userId, transactions / PARTICIPATIONS],
  );
  await sql.query('ANALYZE participations, investment_transactions');
}
