import { financial, general, perHour, perMinute, row } from './row';

const auth = perMinute(100);
const users = perMinute(100);
/** Decisions §12, "Fresh sign-in". */
const fresh = { REAUTHENTICATION_REQUIRED: 403, INVALID_PASSWORD: 401 };
const upload = { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 };

/** Document 2 §4.1, §5.6, §7; decisions §3, §4, §11. */
export const identity = [
  row('POST /auth/register', 'public', perMinute(5), 201, {
    PASSWORD_TOO_WEAK: 400,
    INVALID_REFERRAL_CODE: 404,
    EMAIL_ALREADY_EXISTS: 409,
    PHONE_ALREADY_EXISTS: 409,
  }),
  row('POST /auth/login', 'public', perMinute(5), 200, {
    INVALID_CREDENTIALS: 401,
    TWO_FACTOR_REQUIRED: 401,
    INVALID_TWO_FACTOR_CODE: 401,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
  }),
  row('POST /auth/logout', 'user', auth, 200, { INVALID_REFRESH_TOKEN: 400 }),
  row('POST /auth/refresh', 'public', auth, 200, {
    INVALID_REFRESH_TOKEN: 401,
    REFRESH_TOKEN_EXPIRED: 401,
    SESSION_REVOKED: 401,
    FORBIDDEN: 403, // By its cookie from a page that is not allowed (decisions §3, §11).
  }),
  row('POST /auth/verify-email', 'public', auth, 200, {
    INVALID_TOKEN: 400,
    TOKEN_EXPIRED: 400,
    ALREADY_VERIFIED: 409,
  }),
  row('POST /auth/resend-verification', 'public', perHour(3), 200, {
    USER_NOT_FOUND: 404,
    ALREADY_VERIFIED: 409,
  }),
  row('POST /auth/forgot-password', 'public', perHour(3), 200),
  row('POST /auth/reset-password', 'public', perHour(3), 200, {
    INVALID_TOKEN: 400,
    TOKEN_EXPIRED: 400,
    PASSWORD_MISMATCH: 400,
    PASSWORD_TOO_WEAK: 400,
    PASSWORD_RECENTLY_USED: 400,
  }),
  row('POST /auth/confirm', 'user', auth, 200, {
    INVALID_PASSWORD: 401,
    TWO_FACTOR_REQUIRED: 401,
    INVALID_TWO_FACTOR_CODE: 401,
    REAUTHENTICATION_REQUIRED: 403,
  }),
  row('POST /auth/undo', 'public', auth, 200, { INVALID_TOKEN: 400, TOKEN_EXPIRED: 400 }),
  row('POST /auth/2fa/setup', 'user', auth, 200, {
    ...fresh,
    PHONE_NOT_VERIFIED: 400,
    EMAIL_NOT_VERIFIED: 400,
    TWO_FACTOR_ALREADY_ENABLED: 409,
  }),
  row('POST /auth/2fa/verify', 'user', auth, 200, {
    SETUP_NOT_INITIATED: 400,
    INVALID_CODE: 400,
    CODE_EXPIRED: 400,
  }),
  row('POST /auth/2fa/disable', 'user', auth, 200, {
    TWO_FACTOR_NOT_ENABLED: 400,
    INVALID_PASSWORD: 401,
    INVALID_CODE: 401,
  }),
  row('GET /auth/sessions', 'user', auth, 200),
  row('DELETE /auth/sessions/:id', 'user', auth, 200, { CANNOT_REVOKE_CURRENT: 400, SESSION_NOT_FOUND: 404 }),
  row('GET /auth/external/:provider', 'public', auth, 302, {
    PROVIDER_NOT_FOUND: 404,
    PROVIDER_NOT_CONFIGURED: 503,
  }),
  row('GET /auth/external/:provider/callback', 'public', auth, 302, {
    INVALID_TOKEN: 400,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
    PROVIDER_NOT_FOUND: 404,
    PROVIDER_NOT_CONFIGURED: 503,
  }),
  row('POST /auth/external/:provider/callback', 'public', auth, 302, {
    INVALID_TOKEN: 400,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
    PROVIDER_NOT_FOUND: 404,
    PROVIDER_NOT_CONFIGURED: 503,
  }),

  row('GET /regions', 'public', general, 200),
  row('PUT /regions/current', 'public', general, 200),

  row('GET /users/me', 'user', users, 200),
  row('PATCH /users/me', 'user', users, 200, fresh),
  row('DELETE /users/me', 'user', users, 200, fresh),
  row('GET /users/me/export', 'user', users, 200),
  row('PATCH /users/me/profile', 'user', users, 200),
  row('POST /users/me/avatar', 'user', users, 200, upload),
  row('POST /users/me/password', 'user', users, 200, {
    PASSWORD_MISMATCH: 400,
    PASSWORD_TOO_WEAK: 400,
    PASSWORD_RECENTLY_USED: 400,
    INVALID_PASSWORD: 401,
  }),
  row('POST /users/me/phone', 'user', users, 200, { ...fresh, PHONE_ALREADY_EXISTS: 409 }),
  row('POST /users/me/phone/verify', 'user', users, 200, {
    SETUP_NOT_INITIATED: 400,
    INVALID_CODE: 400,
    CODE_EXPIRED: 400,
  }),
  row('GET /users/me/addresses', 'user', users, 200),
  row('POST /users/me/addresses', 'user', users, 201),
  row('PATCH /users/me/addresses/:id', 'user', users, 200, { ADDRESS_NOT_FOUND: 404 }),
  row('DELETE /users/me/addresses/:id', 'user', users, 200, { ADDRESS_NOT_FOUND: 404 }),
  row('GET /users/me/balance', 'user', users, 200),
  // Money moves by it, so it has a limit of its own, as investing has; the lists and the cancellation are in no document.
  row('POST /users/me/balance/top-up', 'user', financial(3), 201, { FORBIDDEN: 403 }),
  row('GET /users/me/balance/top-ups', 'user', users, 200),
  row('GET /users/me/balance/top-ups/:id', 'user', users, 200, { TOP_UP_NOT_FOUND: 404 }),
  row('POST /users/me/balance/top-ups/:id/cancel', 'user', users, 200, {
    TOP_UP_NOT_FOUND: 404,
    CANNOT_CANCEL: 400,
  }),
  row('POST /users/me/balance/withdraw', 'user', financial(3), 201, {
    INSUFFICIENT_BALANCE: 400,
    PAYOUT_DETAILS_MISSING: 400,
    KYC_REQUIRED: 403,
    FORBIDDEN: 403,
    BELOW_MINIMUM: 400,
    PAYOUT_PENDING: 409,
  }),
  row('GET /users/me/balance/withdrawals', 'user', users, 200),
  row('POST /users/me/balance/withdrawals/:id/cancel', 'user', users, 200, {
    WITHDRAWAL_NOT_FOUND: 404,
    NOT_CANCELLABLE: 400,
  }),

  row('GET /users/kyc', 'user', users, 200),
  row('POST /users/kyc', 'user', users, 201, { NOT_EDITABLE: 400 }),
  row('POST /users/kyc/submit', 'user', users, 200, {
    NOT_EDITABLE: 400,
    DOCUMENTS_MISSING: 400,
    RESUBMISSION_TOO_SOON: 400,
    MAX_ATTEMPTS: 400,
  }),
  row('POST /kyc/documents', 'user', general, 201, { ...upload, MAX_ATTEMPTS: 400, NOT_EDITABLE: 400 }),
  row('GET /users/kyc/documents/:id', 'user', users, 200, { DOCUMENT_NOT_FOUND: 404 }),
  row('DELETE /users/kyc/documents/:id', 'user', users, 200, { DOCUMENT_NOT_FOUND: 404, NOT_EDITABLE: 400 }),
];
