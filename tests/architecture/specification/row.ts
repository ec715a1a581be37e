/** The contract of one endpoint, as the specification has it. */
export interface Row {
  method: string;
  /** Under /api/v1. */
  path: string;
  auth: 'public' | 'optional' | 'user' | 'admin' | 'super-admin';
  limit: Limit;
  /** Every status that success can have; the usual one first. */
  success: readonly number[];
  /** Errors of this endpoint only; the kit checks those of every endpoint of its kind. */
  errors: Readonly<Record<string, number>>;
}

export interface Limit {
  requests: number;
  perSeconds: number;
  financial: boolean;
  /** Set where the documents state no limit: the general tiers hold, the hourly one too. */
  general: boolean;
}

const limit = (requests: number, perSeconds: number): Limit => ({
  requests,
  perSeconds,
  financial: false,
  general: false,
});

export const perMinute = (requests: number): Limit => limit(requests, 60);
export const perHour = (requests: number): Limit => limit(requests, 3600);
export const financial = (requests: number): Limit => ({ ...limit(requests, 60), financial: true });
/** Decisions §1: 100 a minute where nothing is stated. */
export const general: Limit = { ...limit(100, 60), general: true };

/** One line of the table: `row('POST /cart/items', 'user', perMinute(100), 201, { PRODUCT_NOT_FOUND: 404 })`. */
export function row(
  endpoint: string,
  auth: Row['auth'],
  allowed: Limit,
  success: number | readonly number[],
  errors: Row['errors'] = {},
): Row {
  const [method = '', path = ''] = endpoint.split(' ');
  const statuses = typeof success === 'number' ? [success] : success;
  return { method: method.toLowerCase(), path, auth, limit: allowed, success: statuses, errors };
}

/** Errors of every endpoint of the row's kind, repeated in the documents or not. */
export function sharedErrors({ method, path, auth }: Pick<Row, 'method' | 'path' | 'auth'>): Row['errors'] {
  const signedIn = auth !== 'public' && auth !== 'optional';
  const isAdministration = auth === 'admin' || auth === 'super-admin';
  const isForSetUp = path.startsWith('/auth/') || `${method} ${path}` === 'get /users/me';
  const mayUseCookie = auth !== 'public' && method !== 'get';
  return {
    VALIDATION_ERROR: 400,
    RATE_LIMIT_EXCEEDED: 429,
    ...(signedIn && { UNAUTHORIZED: 401 }),
    // Decisions §12: an administrator without a second factor gets no further than its set-up.
    ...(signedIn && !isForSetUp && { TWO_FACTOR_SETUP_REQUIRED: 403 }),
    ...((isAdministration || mayUseCookie) && { FORBIDDEN: 403 }),
  };
}
