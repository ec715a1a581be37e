import { copied, ID, type Violating } from '../../../support/checks/guards';

const waiting = (change: string): string =>
  `UPDATE partner_entrances SET ${change} WHERE status = 'PENDING_PAYMENT'`;
const paid = (change: string): string => `UPDATE partner_entrances SET ${change} WHERE status = 'PAID'`;
const links = (change: string): string => `UPDATE partner_links SET ${change}`;
const LONG = `repeat('a', 101)`;

/** Of entrance fees with their payments, and of links. */
export const violatingEntrances: Violating = {
  partner_entrances_amount_check: [0, 1_000_000_000_000].map((minor) => waiting(`amount_minor = ${minor}`)),
  partner_entrances_currency_check: ['usd', 'US', 'USDT'].map((text) => waiting(`currency = '${text}'`)),
  partner_entrances_ended_check: [
    waiting('ended_at = now()'),
    waiting(`status = 'CANCELLED'`),
    paid('ended_at = NULL'),
  ],
  partner_entrances_number_key: [`UPDATE partner_entrances SET number = 'ENT-1'`],
  partner_entrances_open_key: [
    copied('partner_entrances', { ...ID, number: `'ENT-1'` }, `status = 'PENDING_PAYMENT'`),
  ],
  partner_entrances_paid_check: [
    waiting('paid_at = now()'),
    waiting('partner_id = (SELECT id FROM partners LIMIT 1)'),
    paid('paid_at = NULL'),
    paid('partner_id = NULL'),
    paid(`payment_status = 'PENDING'`),
    paid(`payment_status = 'FAILED'`),
  ],
  partner_entrances_partner_key: [
    paid('partner_id = (SELECT partner_id FROM partner_entrances WHERE partner_id IS NOT NULL LIMIT 1)'),
  ],
  partner_entrances_payment_method_check: [waiting(`payment_method = 'EWALLET'`)],
  partner_entrances_payment_status_check: [waiting(`payment_status = 'LOST'`)],
  partner_entrances_status_check: [waiting(`status = 'LOST', ended_at = now()`)],
  chargebacks_payable_check: ['UPDATE chargebacks SET entrance_id = NULL'],
  payment_attempts_entrance_sequence_key: [copied('payment_attempts', ID)],
  payment_attempts_one_paid_entrance_key: [
    `WITH paid AS (UPDATE payment_attempts SET status = 'PAID')
     ${copied('payment_attempts', { ...ID, sequence: '9', status: `'PAID'` })}`,
  ],
  payment_attempts_payable_check: ['UPDATE payment_attempts SET entrance_id = NULL'],
  payment_captures_one_applied_entrance_key: [
    copied('payment_captures', { ...ID, provider_payment_id: `'other'` }),
  ],
  payment_captures_payable_check: ['UPDATE payment_captures SET entrance_id = NULL'],
  payment_refunds_payable_check: ['UPDATE payment_refunds SET entrance_id = NULL'],
  partner_link_clicks_repeated: [
    copied('partner_link_clicks', { clicked_at: `r.clicked_at + interval '29 minutes'` }),
  ],
  partner_link_days_clicks_check: ['UPDATE partner_link_days SET clicks = 0'],
  partner_links_campaign_check: [`''`, LONG].map((text) => links(`campaign = ${text}`)),
  partner_links_code_check: ['', 'AAAAAAA', 'AAAAAAAAA', 'aaaaaaaa', 'AAAA-AAA'].map((code) =>
    links(`code = '${code}'`),
  ),
  partner_links_code_key: [links(`code = 'CCCCCCCC'`)],
  partner_links_landing_path_check: ['', 'a', '//a.test', 'https://a.test'].map((path) =>
    links(`landing_path = '${path}'`),
  ),
  partner_links_name_check: [`''`, LONG].map((text) => links(`name = ${text}`)),
};
