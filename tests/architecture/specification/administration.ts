import { perMinute, row } from './row';

const admin = perMinute(200);
const user = { USER_NOT_FOUND: 404 };
const kyc = { KYC_NOT_FOUND: 404 };
const document = { ...kyc, DOCUMENT_NOT_FOUND: 404 };
const reviewable = { ...kyc, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 };
const partner = { PARTNER_NOT_FOUND: 404 };
/** Refused while a provider may have sent it before. */
const unsent = { CANNOT_SETTLE: 400 };
const parked = { OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 };

/** Of partners, and of wallets. The lists as files and the single rows are our own, as for other money that leaves. */
const payoutRows = (
  path: '/admin/payouts' | '/admin/wallet-withdrawals',
  notFound: Record<string, number>,
) => [
  row(`GET ${path}`, 'admin', admin, 200),
  row(`GET ${path}/export`, 'admin', perMinute(5), 200),
  row(`GET ${path}/:id`, 'admin', admin, 200, { ...notFound, FORBIDDEN: 403 }),
  row(`POST ${path}/approve`, 'admin', perMinute(30), 200),
  row(`POST ${path}/:id/approve`, 'admin', admin, 200, { ...notFound, NOT_PENDING: 400, FORBIDDEN: 403 }),
  row(`POST ${path}/:id/reject`, 'admin', admin, 200, {
    ...notFound,
    NOT_REJECTABLE: 400,
    ...unsent,
    FORBIDDEN: 403,
  }),
  row(`POST ${path}/:id/process`, 'admin', perMinute(5), 200, {
    ...notFound,
    ...unsent,
    NOT_APPROVED: 400,
    PAYMENT_FAILED: 400,
    FORBIDDEN: 403,
  }),
  row(`POST ${path}/:id/complete`, 'admin', admin, 200, {
    ...notFound,
    NOT_PROCESSING: 400,
    ALREADY_SETTLED: 409,
    CANNOT_SETTLE: 400,
    FORBIDDEN: 403,
  }),
  row(`POST ${path}/:id/cancel`, 'admin', admin, 200, {
    ...notFound,
    NOT_CANCELLABLE: 400,
    ...unsent,
    FORBIDDEN: 403,
  }),
];

/** Decisions §9. The timeline as a file is our own, as for other lists. */
const analyticsRows = (page: string) => [
  row(`GET /admin/analytics/${page}`, 'admin', admin, 200),
  row(`GET /admin/analytics/${page}/export`, 'admin', perMinute(5), 200),
];

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
  row('GET /admin/kyc/:id/documents/:documentId/file', 'admin', admin, 200, document),
  row('GET /admin/kyc/:id/documents/:documentId/thumbnail', 'admin', admin, 200, document),
  row('POST /admin/kyc/:id/approve', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/reject', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/claim', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/release', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/request-info', 'admin', admin, 200, reviewable),
  row('POST /admin/kyc/:id/allow-resubmission', 'admin', admin, 200, kyc),

  row('GET /admin/partners', 'admin', admin, 200),
  row('GET /admin/partners/:id', 'admin', admin, 200, partner),
  row('GET /admin/partners/:id/network', 'admin', admin, 200, partner),
  row('GET /admin/partners/:id/statements/:month', 'admin', admin, 200, partner),
  row('GET /admin/partners/:id/statements/:month/export', 'admin', perMinute(5), 200, partner),
  row('POST /admin/partners/:id/suspend', 'admin', admin, 200, { ...partner, ALREADY_SUSPENDED: 400 }),
  row('POST /admin/partners/:id/activate', 'admin', admin, 200, { ...partner, NOT_SUSPENDED: 400 }),
  row('POST /admin/partners/:id/terminate', 'admin', admin, 200, partner),
  row('POST /admin/partners/:id/rank', 'admin', admin, 200, partner),

  // Decisions §12, "Money that does not fit": a transfer for a subject of any kind, found by its purpose.
  row('POST /admin/bank-transfers', 'admin', admin, 200, { PAYMENT_NOT_FOUND: 404, AMOUNT_MISMATCH: 400 }),
  row('GET /admin/top-ups', 'admin', admin, 200),

  row('GET /admin/commissions', 'admin', admin, 200),
  row('POST /admin/commissions/:id/adjust', 'admin', perMinute(10), 200, {
    COMMISSION_NOT_FOUND: 404,
    CANNOT_ADJUST: 400,
  }),

  ...payoutRows('/admin/payouts', { PAYOUT_NOT_FOUND: 404 }),
  // Decisions §12: wallet withdrawals and their decisions are those of payouts.
  ...payoutRows('/admin/wallet-withdrawals', { WITHDRAWAL_NOT_FOUND: 404 }),

  ...analyticsRows('overview'),
  ...analyticsRows('sales'),
  ...analyticsRows('investments'),
  ...analyticsRows('partners'),
  ...analyticsRows('payouts'),
  ...analyticsRows('kyc'),

  row('GET /admin/audit-logs', 'admin', admin, 200),
  row('GET /admin/audit-logs/actions', 'admin', admin, 200),
  row('GET /admin/audit-logs/verify', 'admin', perMinute(5), 200),
  // Our own: the comparison with payment providers; no document has it. The limit of a start: it reads a day from the provider.
  row('GET /admin/reconciliation/runs', 'admin', admin, 200),
  row('POST /admin/reconciliation/runs', 'admin', perMinute(10), 200, { PROVIDER_NOT_FOUND: 404 }),
  row('GET /admin/reconciliation/differences', 'admin', admin, 200),
  row('POST /admin/reconciliation/differences/:id/resolve', 'admin', admin, 200, {
    DIFFERENCE_NOT_FOUND: 404,
    FORBIDDEN: 403,
  }),
  row('GET /admin/operations', 'admin', admin, 200),
  row('POST /admin/operations/:workflowId/retry', 'admin', admin, 200, parked),
  // Architecture, Processes 4: a parked process waits for the operator's `retry` or `abandon`.
  row('POST /admin/operations/:workflowId/abandon', 'admin', admin, 200, parked),
  // Decisions §12, Operations; the codes are those of the endpoints that it stands for.
  row('POST /admin/operations/:workflowId/settle', 'admin', admin, 200, {
    OPERATION_NOT_FOUND: 404,
    ALREADY_SETTLED: 409,
    NOT_PROCESSING: 400,
    CANNOT_SETTLE: 400,
  }),
  // Issue 17.2; no document has them. The limit of the first is that of bulk operations.
  row('POST /admin/operations/retry', 'admin', perMinute(30), 200),
  row('GET /admin/messages', 'admin', admin, 200),
  row('POST /admin/messages/:id/resend', 'admin', admin, 200, {
    MESSAGE_NOT_FOUND: 404,
    NOT_DEAD: 409,
    CANNOT_RESEND: 400,
  }),
  row('GET /admin/domain-events', 'admin', admin, 200),
  row('POST /admin/domain-events/:id/retry', 'admin', admin, 200, {
    FORBIDDEN: 403,
    EVENT_NOT_FOUND: 404,
    NOT_DEAD: 409,
  }),
];
