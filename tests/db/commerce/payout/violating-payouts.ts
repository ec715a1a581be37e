import { copied, ID, type Violating } from '../../../support/checks/guards';

const among =
  (where: string) =>
  (change: string): string =>
    `UPDATE payouts SET ${change} WHERE ${where}`;
const pending = among(`status = 'PENDING'`);
const approved = among(`status = 'APPROVED'`);
const processing = among(`status = 'PROCESSING'`);
const sent = among(`status = 'COMPLETED' AND provider = 'sandbox'`);
const byHand = among(`status = 'COMPLETED' AND provider = 'bank'`);
const rejected = among(`status = 'REJECTED' AND decided_by IS NOT NULL`);
const asked = `asked_at = now(), asked_provider = 'sandbox'`;
const chargedBack = among('chargeback_id IS NOT NULL');
const cancelled = among(`status = 'CANCELLED'`);
const decisions = (change: string): string => `UPDATE payout_decisions SET ${change}`;

/** Of payouts and the decisions on them. */
export const violatingPayouts: Violating = {
  payout_decisions_action_check: [decisions(`action = 'LOSE', sending = NULL`)],
  payout_decisions_sending_check: [
    `${decisions('sending = 1')} WHERE action = 'APPROVE'`,
    `${decisions('sending = NULL')} WHERE action = 'PROCESS'`,
    `${decisions('sending = 0')} WHERE action = 'PROCESS'`,
  ],
  payouts_amount_check: [pending('amount_minor = 0'), pending('amount_minor = 1000000000000')],
  payouts_approved_check: [
    pending('approved_at = now(), approved_by = user_id'),
    approved('approved_at = NULL'),
    approved('approved_by = NULL'),
    approved('approved_by = NULL, approved_at = NULL'),
    sent('approved_by = NULL, approved_at = NULL'),
  ],
  payouts_asked_check: [pending('asked_at = now()')],
  payouts_bank_reference_key: [
    copied(
      'payouts',
      { ...ID, user_id: '(SELECT id FROM users LIMIT 1)', transfer_reference: `'o ut1'` },
      `provider = 'bank'`,
    ),
  ],
  payouts_chargeback_check: [
    chargedBack(`kind = 'PARTNER', partner_id = (SELECT id FROM partners LIMIT 1)`),
    chargedBack(`status = 'CANCELLED'`),
    chargedBack('funds_returned = false'),
    chargedBack(`unproven = '[{}]'`),
    chargedBack(
      `asked_at = now(), asked_provider = 'sandbox', sendings = 1, processed_by = user_id, processed_at = now(), approved_by = user_id, approved_at = now()`,
    ),
  ],
  payouts_chargeback_key: [copied('payouts', ID, 'chargeback_id IS NOT NULL')],
  payouts_currency_check: [pending(`currency = 'usd'`)],
  payouts_decided_check: [
    pending('decided_by = user_id, funds_returned = true'),
    pending('decided_by = user_id'),
    chargedBack('decided_by = user_id'),
    chargedBack('chargeback_id = NULL'),
    pending(`rejection_reason = 'No.'`),
    rejected('decided_by = NULL, funds_returned = NULL'),
    rejected('funds_returned = NULL'),
    rejected('rejection_reason = NULL'),
    cancelled('funds_returned = false'),
  ],
  payouts_details_check: [pending('details = NULL'), rejected(`details = '\\x00'`)],
  payouts_ended_check: [pending('ended_at = now()'), sent('ended_at = NULL')],
  payouts_kind_check: [pending(`kind = 'OTHER', partner_id = NULL`)],
  payouts_method_check: [pending(`method = 'CASH'`)],
  payouts_open_key: [copied('payouts', ID, `status = 'PENDING'`)],
  payouts_owner_check: [
    pending('partner_id = NULL'),
    `UPDATE payouts SET partner_id = (SELECT id FROM partners LIMIT 1) WHERE kind = 'WALLET'`,
  ],
  payouts_processed_check: [
    approved('sendings = 1'),
    processing('processed_by = NULL'),
    processing('sendings = 0'),
    processing('processed_by = NULL, processed_at = NULL, sendings = 0'),
    rejected('processed_by = user_id, processed_at = now(), sendings = 1'),
  ],
  payouts_provider_check: [
    processing('provider = NULL'),
    cancelled(`provider = 'bank', processed_by = user_id,
    processed_at = now(), sendings = 1, approved_by = user_id, approved_at = now()`),
  ],
  payouts_refused_check: [pending(`last_refusal = 'No.'`)],
  payouts_sendings_check: [
    `INSERT INTO payouts (id, kind, user_id, amount_minor, currency, method, details, masked_details, status, sendings,
       approved_by, approved_at, processed_by, processed_at, created_at)
     SELECT gen_random_uuid(), 'WALLET', id, 1, 'USD', 'CARD', '\\x00', '', 'APPROVED', -1, id, now(), id, now(), now()
     FROM users LIMIT 1`,
  ],
  payouts_sent_check: [sent('transfer_reference = NULL'), processing(`transfer_reference = 'OUT'`)],
  payouts_settled_check: [sent('settled_by = user_id'), byHand('settled_by = NULL')],
  payouts_unknown_check: [
    processing(asked),
    processing(`asked_at = now(), asked_provider = 'bank'`),
    byHand(asked),
    approved(`${asked}, sendings = 1, processed_by = user_id, processed_at = now()`),
    sent(`asked_provider = 'stripe'`),
  ],
  payouts_unproven_check: [pending(`unproven = '{}'`)],
  payouts_status_check: [pending(`status = 'LOST', approved_by = user_id, approved_at = now()`)],
};
