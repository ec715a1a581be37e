import { perMinute, row } from './row';

const mlm = perMinute(100);
const partnersOnly = { NOT_A_PARTNER: 403 };

/** Document 3 §4.9 and decisions §8, §11. */
export const partners = [
  row('POST /mlm/partner/join', 'user', mlm, 201, {
    ALREADY_PARTNER: 409,
    INSUFFICIENT_BALANCE: 400,
    NOT_PAYABLE: 400,
  }),
  row('GET /mlm/partner/me', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/partner/network', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/partner/network/stats', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/referrals/links', 'user', mlm, 200, partnersOnly),
  row('POST /mlm/referrals/links', 'user', mlm, 201, { ...partnersOnly, FORBIDDEN: 403 }),
  row('GET /mlm/referrals/links/:id/stats', 'user', mlm, 200, { ...partnersOnly, LINK_NOT_FOUND: 404 }),
  row('GET /mlm/commissions', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/commissions/summary', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/commissions/history', 'user', mlm, 200, partnersOnly),
  // Issue 15 asks for these; no document does. The limit of files is our own: one reads every commission.
  row('GET /mlm/commissions/export', 'user', perMinute(5), 200, partnersOnly),
  row('GET /mlm/commissions/:id/explain', 'user', mlm, 200, { ...partnersOnly, COMMISSION_NOT_FOUND: 404 }),
  row('GET /mlm/statements/:month', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/statements/:month/export', 'user', perMinute(5), 200, partnersOnly),
  row('GET /admin/commissions/export', 'admin', perMinute(5), 200),
  row('GET /admin/commissions/:id/explain', 'admin', perMinute(200), 200, { COMMISSION_NOT_FOUND: 404 }),
  row('GET /mlm/ranks/current', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/ranks/progress', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/ranks/history', 'user', mlm, 200, partnersOnly),
  row('GET /mlm/payouts/balance', 'user', mlm, 200, partnersOnly),
  row('POST /mlm/payouts/request', 'user', mlm, 201, {
    ...partnersOnly,
    INSUFFICIENT_BALANCE: 400,
    BELOW_MINIMUM: 400,
    PAYOUT_DETAILS_MISSING: 400,
    KYC_REQUIRED: 403,
    FORBIDDEN: 403,
    PAYOUT_PENDING: 409,
  }),
  row('GET /mlm/payouts/history', 'user', mlm, 200, partnersOnly),
  row('POST /mlm/payouts/:id/cancel', 'user', mlm, 200, {
    ...partnersOnly,
    PAYOUT_NOT_FOUND: 404,
    NOT_CANCELLABLE: 400,
  }),
];
