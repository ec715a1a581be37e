import type { Client as Postgres } from 'pg';
import type { HistorySize } from './history';
import { openStrategies } from './portfolios';

const KIND = {
  payout: 36,
  participation: 37,
  transaction: 38,
  kyc: 39,
  submitted: 40,
  decided: 41,
  partner: 42,
} as const;
/** A time within the last two years that is spread evenly over them. */
export const AT = `now() - (n::bigint * 7919 % 1051200) * interval '1 minute'`;
const id = (kind: number): string => `bench_id(${kind}, n)`;

/** Orders by participation, by verification; commissions by payout, by change of a partner's state. */
const ORDERS_EACH = { participation: 50, verification: 20 };
const COMMISSIONS_EACH = { payout: 50, state: 100 };
/** The deposit and the profits of a participation, a month apart. */
const TRANSACTIONS = 5;

/** Adds what else belongs to a history: payouts, participations, verifications and states of partners. */
export async function addOtherHistory(
  sql: Postgres,
  from: HistorySize,
  to: HistorySize,
  userId: string,
): Promise<void> {
  const range = (whole: keyof HistorySize, each: number): number[] =>
    [from, to].map((size, end) => Math.floor(size[whole] / each) + (end === 0 ? 1 : 0));
  await openStrategies(sql);
  await addPayouts(sql, range('commissions', COMMISSIONS_EACH.payout), userId);
  await addParticipations(sql, range('orders', ORDERS_EACH.participation), userId);
  await addVerifications(sql, range('orders', ORDERS_EACH.verification), userId);
  await sql.query(
    `INSERT INTO partner_state_changes (partner_id, changed_at, to_status, to_level)
     SELECT ${id(KIND.partner)}, ${AT}, 'ACTIVE', 1 + n % 5 FROM generate_series($1::int, $2::int) n`,
    range('commissions', COMMISSIONS_EACH.state),
  );
}

const addPayouts = (sql: Postgres, range: number[], userId: string): Promise<unknown> =>
  sql.query(
    `INSERT INTO payouts (id, kind, user_id, partner_id, amount_minor, currency, method, masked_details, status, provider,
       sendings, transfer_reference, approved_by, approved_at, processed_by, processed_at, created_at, ended_at)
     SELECT ${id(KIND.payout)}, CASE n % 2 WHEN 0 THEN 'PARTNER' ELSE 'WALLET' END, $3::uuid,
       CASE n % 2 WHEN 0 THEN ${id(KIND.partner)} END, 5000, 'USD', (ARRAY['BANK_TRANSFER', 'CARD', 'EWALLET'])[1 + n % 3],
       'x', 'COMPLETED', 'sandbox', 1, 'BENCH-' || n, $3::uuid, ${AT}, $3::uuid, ${AT}, ${AT}, ${AT}
     FROM generate_series($1::int, $2::int) n`,
    [...range, userId],
  );

async function addParticipations(sql: Postgres, range: number[], userId: string): Promise<void> {
  await sql.query(
    `INSERT INTO participations (id, number, user_id, strategy_id, provider_code, origin, status, amount_minor, currency,
       duration_days, compounding, auto_reinvest, return_min_bp, return_max_bp, return_expected_bp, return_type,
       payout_frequency, lock_days, early_withdrawal_allowed, commission_bp, career_points_bp, payment_status, started_at,
       matures_at, earned_minor, created_at, updated_at)
     SELECT ${id(KIND.participation)}, 'PAST-' || n, $3, s.ids[1 + n % array_length(s.ids, 1)], 'bench', 'PROVIDER', 'ACTIVE',
       100000, 'USD', 3650, false, false, 600, 1000, 800, 'FIXED', 'DAILY', 0, true, 0, 0, 'PAID', ${AT},
       ${AT} + interval '3650 days', 100 * ${TRANSACTIONS - 1}, ${AT}, ${AT}
     FROM generate_series($1::int, $2::int) n,
       (SELECT array_agg(id) AS ids FROM investment_strategies WHERE provider_code = 'bench') s`,
    [...range, userId],
  );
  await sql.query(
    `INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code,
       occurred_at, created_at)
     SELECT bench_id(${KIND.transaction}, n * ${TRANSACTIONS} + t), ${id(KIND.participation)}, $3,
       CASE t WHEN 0 THEN 'DEPOSIT' ELSE 'PROFIT' END, CASE t WHEN 0 THEN 100000 ELSE 100 END, 'USD', 'bench',
       least(now(), ${AT} + t * interval '30 days'), now()
     FROM generate_series($1::int, $2::int) n, generate_series(0, ${TRANSACTIONS - 1}) t`,
    [...range, userId],
  );
}

/** Each was submitted, and a day later approved, or every fifth rejected. */
async function addVerifications(sql: Postgres, range: number[], userId: string): Promise<void> {
  const said = (more: string): string =>
    `jsonb_build_object('kycId', ${id(KIND.kyc)}, 'userId', $3::uuid, 'level', 'STANDARD'${more})`;
  await sql.query(
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT ${id(KIND.submitted)}, 'kyc.submitted', 'kyc.submitted:' || ${id(KIND.submitted)}, ${id(KIND.kyc)}, ${said('')}, ${AT}
     FROM generate_series($1::int, $2::int) n`,
    [...range, userId],
  );
  await sql.query(
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT ${id(KIND.decided)}, d.type, d.type || ':' || ${id(KIND.kyc)}, ${id(KIND.kyc)},
       CASE d.type WHEN 'kyc.rejected' THEN ${said(`, 'reason', 'SELFIE_MISMATCH'`)} ELSE ${said('')} END,
       least(now(), ${AT} + interval '1 day')
     FROM generate_series($1::int, $2::int) n
     CROSS JOIN LATERAL (SELECT CASE n % 5 WHEN 0 THEN 'kyc.rejected' ELSE 'kyc.approved' END AS type) d`,
    [...range, userId],
  );
}
