import { financial, perMinute, row } from './row';

const reads = perMinute(200);
const own = perMinute(100);

/** Document 2 §4.2 and §6; decisions §7, §11. */
export const investment = [
  row('GET /investment/strategies', 'optional', reads, 200),
  row('GET /investment/strategies/categories', 'public', reads, 200),
  row('GET /investment/strategies/:id', 'optional', reads, 200, { STRATEGY_NOT_FOUND: 404 }),
  row('POST /investment/strategies/:id/sso-redirect', 'user', perMinute(10), 200, {
    STRATEGY_NOT_ACTIVE: 400,
    STRATEGY_NOT_FOUND: 404,
    PROVIDER_NOT_CONFIGURED: 503,
  }),
  row('GET /investment/categories', 'public', reads, 200),
  row('GET /investment/participations', 'user', own, 200),
  row('POST /investment/participations', 'user', financial(3), 201, {
    TERMS_NOT_ACCEPTED: 400,
    AMOUNT_BELOW_MINIMUM: 400,
    AMOUNT_ABOVE_MAXIMUM: 400,
    DURATION_INVALID: 400,
    INSUFFICIENT_BALANCE: 400,
    STRATEGY_CAPACITY_REACHED: 400,
    STRATEGY_NOT_ACTIVE: 400,
    KYC_REQUIRED: 403,
    STRATEGY_NOT_FOUND: 404,
  }),
  row('GET /investment/participations/:id', 'user', own, 200, { PARTICIPATION_NOT_FOUND: 404 }),
  row('POST /investment/participations/:id/withdraw', 'user', financial(1), 200, {
    ALREADY_WITHDRAWN: 400,
    ALREADY_MATURED: 400,
    KYC_REQUIRED: 403,
    WITHDRAWAL_NOT_ALLOWED: 400,
    LOCK_PERIOD_ACTIVE: 400,
    PENALTY_NOT_ACCEPTED: 400,
    PARTICIPATION_NOT_FOUND: 404,
  }),
  row('GET /investment/portfolio', 'user', own, 200),
  row('GET /investment/portfolio/performance', 'user', own, 200),
  row('POST /investment/webhooks/:providerCode', 'public', perMinute(600), [202, 200], {
    INVALID_SIGNATURE: 401,
    PROVIDER_NOT_FOUND: 404,
  }),
];
