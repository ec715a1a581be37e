import { perMinute, row } from './row';

const admin = perMinute(200);
const user = { USER_NOT_FOUND: 404 };
const kyc = { KYC_NOT_FOUND: 404 };
const reviewable = { ...kyc, NOT_REVIEWABLE: 400 };
const partner = { PARTNER_NOT_FOUND: 404 };
const payout = { PAYOUT_NOT_FOUND: 404 };
const parked = { OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 };

/** People and money: document 3 §4.1–4.5, §4.8a; decisions §4, §8, §9, §11. */
export const administration = [
  row('GET /admin/users', 'admin', admin, 200),
  row('GET /admin/users/:id', 'admin', admin, 200, user),
  row('PATCH /admin/users/:id', 'admin', admin, 200, {
    ...user,
    CANNOT_MODIFY_SUPER_ADMIN: 403,
    EMAIL_ALREADY_EXISTS: 409,
  }),
  row('POST /admin/users/:id/suspend', 'admin', admin, 200, {
    ...user,
    CANNOT_SUSPEND_ADMIN: 403,
    ALREADY_SUSPENDED: 400,
  }),
  row('POST /admin/users/:id/activate', 'admin', admin, 200, {
    ...user,
    CANNOT_MODIFY_SUPER_ADMIN: 403,
    NOT_SUSPENDED: 400,
  }),
  row('POST /admin/users/:id/ban', 'super-admin', admin, 200, { ...user, CANNOT_MODIFY_SUPER_ADMIN: 403 }),
  row('POST /admin/users/:id/unban', 'super-admin', admin, 200, { ...user, CANNOT_MODIFY_SUPER_ADMIN: 403 }),
  row('POST /admin/users/:id/reset-two-factor', 'super-admin', admin, 200, {
    ...user,
    FORBIDDEN: 403,
    TWO_FACTOR_NOT_ENABLED: 400,
  }),

  row('GET /admin/kyc/queue', 'admin', admin, 200),
  row('GET /admin/kyc/:id', 'admin', admin, 200, kyc),
  row('POST /admin/kyc/:id/approve', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/reject', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/claim', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/release', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/request-info', 'admin', admin, 200, reviewable),

  row('GET /admin/partners', 'admin', admin, 200),
  row('GET /admin/partners/:id', 'admin', admin, 200, partner),
  row('GET /admin/partners/:id/network', 'admin', admin, 200, partner),
  row('POST /admin/partners/:id/suspend', 'admin', admin, 200, partner),
  row('POST /admin/partners/:id/activate', 'admin', admin, 200, partner),
  row('POST /admin/partners/:id/terminate', 'admin', admin, 200, partner),
  row('POST /admin/partners/:id/rank', 'admin', admin, 200, partner),

  row('GET /admin/commissions', 'admin', admin, 200),
  row('POST /admin/commissions/:id/adjust', 'admin', perMinute(10), 200, {
    COMMISSION_NOT_FOUND: 404,
    CANNOT_ADJUST: 400,
  }),

  row('GET /admin/payouts', 'admin', admin, 200),
  row('POST /admin/payouts/:id/approve', 'admin', admin, 200, { ...payout, NOT_PENDING: 400 }),
  row('POST /admin/payouts/:id/reject', 'admin', admin, 200, { ...payout, NOT_REJECTABLE: 400 }),
  row('POST /admin/payouts/:id/process', 'admin', perMinute(5), 200, {
    ...payout,
    NOT_APPROVED: 400,
    PAYMENT_FAILED: 400,
  }),
  row('POST /admin/payouts/:id/complete', 'admin', admin, 200, payout),
  row('POST /admin/payouts/:id/cancel', 'admin', admin, 200, { ...payout, NOT_CANCELLABLE: 400 }),

  row('GET /admin/analytics/overview', 'admin', admin, 200),
  row('GET /admin/analytics/sales', 'admin', admin, 200),
  row('GET /admin/analytics/investments', 'admin', admin, 200),
  row('GET /admin/analytics/partners', 'admin', admin, 200),
  row('GET /admin/analytics/payouts', 'admin', admin, 200),
  row('GET /admin/analytics/kyc', 'admin', admin, 200),

  row('GET /admin/audit-logs', 'admin', admin, 200),
  row('GET /admin/audit-logs/actions', 'admin', admin, 200),
  row('GET /admin/audit-logs/verify', 'admin', perMinute(5), 200),
  row('GET /admin/operations', 'admin', admin, 200),
  row('POST /admin/operations/:workflowId/retry', 'admin', admin, 200, parked),
  // Architecture, Processes 4: a parked process waits for the operator's `retry` or `abandon`.
  row('POST /admin/operations/:workflowId/abandon', 'admin', admin, 200, parked),
];
