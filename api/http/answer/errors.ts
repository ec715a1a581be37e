import { isContention, isDatabaseAway } from '../../../db/sql/errors';
import { MESSAGES, refusalIn, type ErrorCode, type RefusalDetails } from '../../../workflows/errors';
import type { Reason } from '../../../workflows/reasons';
import { isForSetUp } from '../auth/access';
import { takesBody } from '../body/body';
import { ScannerUnavailable } from '../body/document-preparer';
import type { Endpoint } from '../endpoint';
import { Busy } from '../limits/gate';
import { CounterUnavailable } from '../limits/limiter';
import { TooManyRequests } from '../limits/rate-limit';
import { OutcomeUnknown, TemporalUnavailable } from '../temporal/temporal';

/** The reason for a failed request, with only what its caller may know. */
export interface Failure {
  status: number;
  code: ErrorCode;
  message: string;
  details?: RefusalDetails;
  reason?: Reason;
  retryAfterSeconds?: number;
}

type Statuses = Partial<Record<ErrorCode, number>>;

/** Sent as `Retry-After` when the database or Temporal is unavailable. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** For a change that a process may have made before one of its steps failed for good. */
const OUTCOME_UNKNOWN =
  'It is not known whether this took effect. Send it again with the same Idempotency-Key, or look first.';

/** The errors of a request for which no endpoint was found yet. */
const errorsWithoutEndpoint: Statuses = {
  VALIDATION_ERROR: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  URI_TOO_LONG: 414,
};

/**
 * Every error code of an endpoint with its status: those of its contract and those that its kind of endpoint shares.
 */
export function errorsOf(endpoint: Endpoint): Statuses {
  const signedIn = endpoint.auth !== 'public' && endpoint.auth !== 'optional';
  const guarded = endpoint.auth === 'admin' || endpoint.auth === 'super-admin';
  return {
    VALIDATION_ERROR: 400,
    ...(signedIn && { UNAUTHORIZED: 401 }),
    ...((guarded || (endpoint.auth !== 'public' && endpoint.method !== 'get')) && { FORBIDDEN: 403 }),
    ...(signedIn && !isForSetUp(endpoint) && { TWO_FACTOR_SETUP_REQUIRED: 403 }),
    ...(takesKey(endpoint) && { IDEMPOTENCY_IN_PROGRESS: 409, IDEMPOTENCY_KEY_REUSED: 422 }),
    ...(takesBody(endpoint) && { PAYLOAD_TOO_LARGE: 413, UNSUPPORTED_MEDIA_TYPE: 415 }),
    URI_TOO_LONG: 414,
    RATE_LIMIT_EXCEEDED: 429,
    INTERNAL_ERROR: 500,
    SERVICE_UNAVAILABLE: 503,
    ...endpoint.errors,
  };
}

/** True if an endpoint supports `Idempotency-Key`. */
export const takesKey = ({ method, idempotent }: Pick<Endpoint, 'method' | 'idempotent'>): boolean =>
  method === 'post' && idempotent !== false;

/** Maps an error to an answer. A refusal that the endpoint does not declare is our own mistake: a plain 500. */
export function explain(error: unknown, endpoint: Endpoint | null): Failure {
  const refused = refusalIn(error);
  const status = refused ? (endpoint ? errorsOf(endpoint) : errorsWithoutEndpoint)[refused.code] : undefined;
  if (refused && status !== undefined) return { status, ...refused };
  if (error instanceof TooManyRequests) {
    const { message, retryAfterSeconds } = error;
    return { status: 429, code: 'RATE_LIMIT_EXCEEDED', message, retryAfterSeconds };
  }
  if (isUnavailable(error)) {
    const message = error instanceof OutcomeUnknown ? OUTCOME_UNKNOWN : MESSAGES.SERVICE_UNAVAILABLE;
    const retryAfterSeconds = UNAVAILABLE_RETRY_SECONDS;
    return { status: 503, code: 'SERVICE_UNAVAILABLE', message, retryAfterSeconds };
  }
  if (error instanceof Busy) {
    const { message, retryAfterSeconds } = error;
    return { status: 503, code: 'SERVICE_UNAVAILABLE', message, retryAfterSeconds };
  }
  if (isUnreadablePath(error))
    return { status: 400, code: 'VALIDATION_ERROR', message: 'The path is not properly percent-encoded.' };
  return { status: 500, code: 'INTERNAL_ERROR', message: MESSAGES.INTERNAL_ERROR };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof TemporalUnavailable ||
  error instanceof OutcomeUnknown ||
  error instanceof CounterUnavailable ||
  error instanceof ScannerUnavailable ||
  isDatabaseAway(error) ||
  isContention(error);

/** The router's error for a path with an invalid percent-encoding. */
const isUnreadablePath = (error: unknown): boolean =>
  error instanceof URIError && (error as { status?: unknown }).status === 400;
