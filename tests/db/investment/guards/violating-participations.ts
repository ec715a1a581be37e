import { copied, ID, type Violating } from '../../../support/checks/guards';

const waiting = (change: string): string =>
  `UPDATE participations SET ${change} WHERE status = 'PENDING_PAYMENT'`;
const running = (change: string): string =>
  `UPDATE participations SET ${change} WHERE status = 'ACTIVE' AND reported_value_minor IS NULL`;
const ended = (change: string): string =>
  `UPDATE participations SET ${change} WHERE status IN ('MATURED', 'WITHDRAWN')`;
const differing = (values: Readonly<Record<string, string>>, kind: string): string =>
  copied('investment_differences', { ...ID, ...values }, `kind = '${kind}'`);

export const violatingParticipations: Violating = {
  participations_amount_check: [waiting('amount_minor = 0'), waiting('amount_minor = 1000000000000')],
  participations_cancelled_check: [running(`status = 'CANCELLED', ended_at = now()`)],
  participations_currency_check: [waiting(`currency = 'usd'`)],
  participations_duration_check: [waiting('duration_days = 0'), waiting('duration_days = 36501')],
  participations_earned_check: [
    running('earned_minor = 1000000000000'),
    running('earned_minor = -1000000000000'),
  ],
  participations_ended_check: [
    running('ended_at = now()'),
    waiting(`status = 'CANCELLED'`),
    ended('ended_at = NULL'),
  ],
  participations_external_key: [
    `UPDATE participations SET external_id = 'running' WHERE provider_code = 'alpha' AND status = 'MATURED'`,
  ],
  participations_number_key: [`UPDATE participations SET number = 'INV-1'`],
  participations_origin_check: [waiting(`origin = 'ELSEWHERE', payment_method = NULL`)],
  participations_origin_method_check: [waiting('payment_method = NULL'), waiting(`origin = 'PROVIDER'`)],
  participations_origin_reinvested_check: [
    waiting(`origin = 'REINVESTMENT', payment_method = NULL`),
    waiting('reinvested_from_id = id'),
  ],
  participations_payment_method_check: [waiting(`payment_method = 'EWALLET'`)],
  participations_payment_status_check: [waiting(`payment_status = 'LOST'`)],
  participations_payout_external_check: [running(`payout_external_id = 'out'`)],
  participations_payout_external_key: [
    `UPDATE participations SET payout_external_id = 'out'
     WHERE provider_code = 'alpha' AND status IN ('MATURED', 'WITHDRAWN')`,
  ],
  participations_payout_reported_check: [
    ended('payout_reported_at = now()'),
    `UPDATE participations SET payout_reported_at = now(), payout_external_id = 'out' WHERE status = 'MATURED'`,
    `UPDATE participations SET payout_reported_at = now(), payout_external_id = id
     WHERE status = 'WITHDRAWN' AND external_id IS NULL`,
  ],
  participations_pending_check: [waiting('payment_expires_at = NULL'), waiting('started_at = now()')],
  participations_reinvested_from_key: [
    `UPDATE participations SET origin = 'REINVESTMENT', payment_method = NULL,
       reinvested_from_id = (SELECT id FROM participations WHERE status = 'MATURED') WHERE status = 'ACTIVE'`,
  ],
  participations_reported_value_check: [
    running('reported_value_minor = -1'),
    running('reported_value_minor = 1000000000000'),
  ],
  participations_started_check: [
    running('started_at = NULL'),
    running(`matures_at = started_at - interval '1 second'`),
    running(`payment_status = 'PENDING'`),
    running(`payment_status = 'FAILED'`),
    ended('started_at = NULL'),
  ],
  participations_status_check: [waiting(`status = 'PAUSED'`)],
  participations_value_reported_check: [running('value_reported_at = now()')],
  participations_withdrawn_check: [
    running('withdrawn_minor = -1'),
    running('withdrawn_minor = amount_minor + 1'),
  ],
  participation_values_day_key: [
    `INSERT INTO participation_values
       SELECT participation_id, reported_at + interval '23 hours 59 minutes', value_minor FROM participation_values`,
    `INSERT INTO participation_values
       SELECT participation_id, reported_at + interval '1 microsecond', 5 FROM participation_values`,
  ],
  participation_values_value_check: [
    'UPDATE participation_values SET value_minor = -1',
    'UPDATE participation_values SET value_minor = 1000000000000',
  ],
  investment_transactions_amount_check: [
    ...[0, -1].map((n) => `UPDATE investment_transactions SET amount_minor = ${n} WHERE type = 'DEPOSIT'`),
    `UPDATE investment_transactions SET amount_minor = -1 WHERE type = 'WITHDRAWAL'`,
    `UPDATE investment_transactions SET amount_minor = 0 WHERE type = 'PROFIT'`,
  ],
  investment_transactions_deposit_key: [copied('investment_transactions', ID, `type = 'DEPOSIT'`)],
  investment_transactions_external_key: [
    `UPDATE investment_transactions SET external_id = 'same' WHERE provider_code = 'alpha' AND type = 'PROFIT'`,
  ],
  investment_transactions_type_check: [`UPDATE investment_transactions SET type = 'FEE'`],
  investment_differences_accepted_check: [
    'UPDATE investment_differences SET accepted_at = now()',
    'UPDATE investment_differences SET accepted_by = (SELECT min(id::text)::uuid FROM users)',
    `UPDATE investment_differences SET accepted_because = 'It is.'`,
    `UPDATE investment_differences SET accepted_at = now(), accepted_because = 'It is.'`,
  ],
  investment_differences_kind_check: [differing({ kind: `'OTHER'` }, 'PROFITS_DIFFER')],
  investment_differences_open_key: [differing({}, 'PROFITS_DIFFER')],
  investment_differences_subject_check: [
    differing({ participation_id: 'null' }, 'PROFITS_DIFFER'),
    differing({ kind: `'UNKNOWN_HERE'` }, 'PROFITS_DIFFER'),
    differing({ investment_external_id: 'null' }, 'UNKNOWN_HERE'),
  ],
  investment_differences_unknown_key: [differing({}, 'UNKNOWN_HERE')],
  investment_reports_type_check: [`UPDATE investment_reports SET type = 'PENALTY'`],
};
