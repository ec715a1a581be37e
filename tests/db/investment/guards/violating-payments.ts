import { copied, ID, type Violating } from '../../../support/checks/guards';

const byHand = (change: string): string =>
  `UPDATE investment_withdrawals SET ${change} WHERE status = 'PROCESSING'`;
const toWallet = (change: string): string =>
  `UPDATE investment_withdrawals SET ${change} WHERE method = 'BALANCE'`;

export const violatingWithdrawals: Violating = {
  investment_withdrawals_asked_check: [byHand('asked_at = now()')],
  investment_withdrawals_bank_reference_key: [
    byHand(`transfer_reference = CASE WHEN id = (SELECT id FROM investment_withdrawals
      WHERE status = 'PROCESSING' ORDER BY id LIMIT 1) THEN 'OUT 1' ELSE 'o ut1' END`),
  ],
  investment_withdrawals_details_check: [byHand('details = NULL')],
  investment_withdrawals_ended_check: [byHand('ended_at = now()'), toWallet('ended_at = NULL')],
  investment_withdrawals_here_check: [
    toWallet('sendings = 1, asked_at = now()'),
    toWallet(`transfer_reference = 'OUT'`),
    toWallet(`details = '\\x00'`),
    toWallet(`status = 'CREDITED', refused_because = 'It is.'`),
  ],
  investment_withdrawals_method_check: [byHand(`method = 'CASH'`)],
  investment_withdrawals_net_check: [
    byHand('net_minor = net_minor + 1'),
    byHand('net_minor = net_minor - 1'),
    byHand('penalty_minor = 1'),
  ],
  investment_withdrawals_participation_key: [copied('investment_withdrawals', ID, `method = 'BALANCE'`)],
  investment_withdrawals_penalty_check: [byHand('penalty_minor = -1, net_minor = net_minor + 1')],
  investment_withdrawals_principal_check: [
    byHand('principal_minor = 0, returns_minor = returns_minor + principal_minor'),
  ],
  investment_withdrawals_provider_check: [
    toWallet(`provider = 'bank'`),
    byHand(`method = 'BALANCE'`),
    byHand(`net_minor = 0, returns_minor = -principal_minor`),
  ],
  investment_withdrawals_refused_check: [
    byHand(`refused_because = 'It is.'`),
    byHand(`status = 'CREDITED', ended_at = now()`),
  ],
  investment_withdrawals_sendings_check: [byHand('sendings = -1')],
  investment_withdrawals_sent_check: [byHand(`status = 'COMPLETED', ended_at = now()`)],
  investment_withdrawals_settlement_key: [byHand(`settlement_id = '00000000-0000-7000-8000-000000000000'`)],
  investment_withdrawals_status_check: [byHand(`status = 'LOST', ended_at = now()`)],
  investment_withdrawals_unproven_check: [byHand(`unproven = '{}'`)],
  investment_withdrawals_unknown_check: [
    byHand(`asked_at = now(), asked_provider = 'sandbox', sendings = 1`),
    byHand(`asked_at = now(), asked_provider = 'bank', sendings = 1`),
    byHand('asked_at = now(), sendings = 1'),
  ],
  sandbox_transfers_amount_check: ['UPDATE sandbox_transfers SET amount_minor = 0'],
  sandbox_transfers_copies_check: [
    'UPDATE sandbox_transfers SET copies = 3',
    `UPDATE sandbox_transfers SET status = 'UNDER_WAY', ended_at = NULL, copies = 2`,
  ],
  sandbox_transfers_ended_check: [
    `UPDATE sandbox_transfers SET status = 'UNDER_WAY'`,
    'UPDATE sandbox_transfers SET ended_at = NULL',
  ],
  sandbox_transfers_id_key: [`UPDATE sandbox_transfers SET id = '00000000-0000-7000-8000-000000000000'`],
  sandbox_transfers_status_check: [`UPDATE sandbox_transfers SET status = 'LOST'`],
};

export const violatingReports: Violating = {
  kyc_provider_reports_event_key: [copied('kyc_provider_reports', ID)],
  kyc_pushes_accepted_check: [
    `UPDATE kyc_pushes SET fingerprint = 'a'`,
    'UPDATE kyc_pushes SET accepted_at = now()',
  ],
  kyc_pushes_refused_check: [
    `UPDATE kyc_pushes SET refused_fingerprint = 'a'`,
    'UPDATE kyc_pushes SET refused_at = now()',
  ],
  kyc_syncs_accepted_check: ['UPDATE kyc_syncs SET accepted = -1'],
  kyc_syncs_missed_check: [
    'UPDATE kyc_syncs SET missed = -1',
    'UPDATE kyc_syncs SET missed = refused + 1',
    'UPDATE kyc_syncs SET refused = -1',
  ],
  provider_day_totals_credited_check: ['UPDATE provider_day_totals SET credited_minor = 0'],
  webhook_events_external_key: [`UPDATE webhook_events SET external_event_id = 'first'`],
  webhook_events_outcome_check: [`UPDATE webhook_events SET outcome = 'OTHER'`],
  webhook_events_kind_check: [`UPDATE webhook_events SET kind = 'OTHER'`],
  webhook_events_waits_for_check: [`UPDATE webhook_events SET waits_for = 'running'`],
  domain_events_type_check: [
    copied('domain_events', { ...ID, type: `'investment.lost'`, reference: `'new'` }),
  ],
};

const writingOff = (values: Readonly<Record<string, string>>): string =>
  copied('investment_provider_write_offs', { ...ID, ...values });

const paying = (values: Readonly<Record<string, string>>): string =>
  copied('investment_provider_payments', { ...ID, bank_reference: `'BANK 3'`, ...values });

export const violatingPayments: Violating = {
  investment_provider_payments_amount_check: [
    paying({ amount_minor: '0' }),
    paying({ amount_minor: '-5', direction: `'SENT'` }),
  ],
  investment_provider_payments_bank_reference_key: [`'BANK 1'`, `'bank1'`, `E'BA\\u00a0NK2'`].map((name) =>
    paying({ bank_reference: name }),
  ),
  investment_provider_payments_currency_check: [paying({ currency: `'usd'` })],
  investment_provider_payments_direction_check: [paying({ direction: `'LOST'` })],
  investment_provider_payments_parts_check: [
    paying({ recovered_minor: '-1' }),
    paying({ credited_minor: '-1' }),
    paying({ recovered_minor: '2', credited_minor: '4' }),
    paying({ direction: `'SENT'`, recovered_minor: '1' }),
    paying({ direction: `'SENT'`, credited_minor: '1' }),
  ],
  investment_provider_write_offs_amount_check: [
    writingOff({ amount_minor: '0' }),
    writingOff({ amount_minor: '-5' }),
  ],
  investment_provider_write_offs_currency_check: [writingOff({ currency: `'usd'` })],
  chargebacks_payable_check: ['UPDATE chargebacks SET participation_id = NULL'],
  payment_attempts_one_paid_participation_key: [
    `WITH paid AS (UPDATE payment_attempts SET status = 'PAID')
     ${copied('payment_attempts', { ...ID, sequence: '9', status: `'PAID'`, provider_reference: `'other'` })}`,
  ],
  payment_attempts_participation_sequence_key: [
    copied('payment_attempts', { ...ID, provider_reference: `'other'` }),
  ],
  payment_attempts_payable_check: ['UPDATE payment_attempts SET participation_id = NULL'],
  payment_captures_one_applied_participation_key: [
    copied('payment_captures', { ...ID, provider_payment_id: `'other'` }),
  ],
  payment_captures_payable_check: ['UPDATE payment_captures SET participation_id = NULL'],
  payment_refunds_payable_check: ['UPDATE payment_refunds SET participation_id = NULL'],
};
