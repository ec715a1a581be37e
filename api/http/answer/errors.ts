import { isDatabaseAway } from '../../../db/sql/errors';
import { refusalIn, type ErrorCode, type RefusalDetails } from '../../../workflows/errors';
import { isForSetUp } from '../auth/access';
import { takesBody } from '../body/body';
import type { Endpoint } from '../endpoint';
import { Busy } from '../limits/gate';
import { CountingImpossible } from '../limits/limiter';
import { TooManyRequests } from '../limits/rate-limit';
import { OutcomeUnknown, ProcessesAway } from '../temporal/temporal';

/** Why a request failed, as its caller may know it. */
export interface Failure {
  status: number;
  code: ErrorCode;
  message: string;
  details?: RefusalDetails;
  retryAfterSeconds?: number;
}

type Statuses = Partial<Record<ErrorCode, number>>;

/** How soon it makes sense to ask again when something behind us is away. */
const AWAY_RETRY_SECONDS = 2;

/** What can go wrong before any endpoint is found. */
const outside: Statuses = {
  VALIDATION_ERROR: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  URI_TOO_LONG: 414,
};

/** Every code an endpoint can answer with, and its status: its own, and those that all endpoints of its kind share. */
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

/** Whether an endpoint heeds `Idempotency-Key`. */
export const takesKey = ({ method, idempotent }: Pick<Endpoint, 'method' | 'idempotent'>): boolean =>
  method === 'post' && idempotent !== false;

/** Only what the endpoint declares may reach its caller; anything else is our own mistake, and stays with us. */
export function explain(error: unknown, endpoint: Endpoint | null): Failure {
  const refused = refusalIn(error);
  const status = refused ? (endpoint ? errorsOf(endpoint) : outside)[refused.code] : undefined;
  if (refused && status !== undefined) return { status, ...refused };
  if (error instanceof TooManyRequests) {
    const { message, retryAfterSeconds } = error;
    return { status: 429, code: 'RATE_LIMIT_EXCEEDED', message, retryAfterSeconds };
  }
  if (isAway(error)) {
    const message = 'The service cannot do this right now. Nothing is half done; ask again in a moment.';
    return { status: 503, code: 'SERVICE_UNAVAILABLE', message, retryAfterSeconds: AWAY_RETRY_SECONDS };
  }
  if (error instanceof Busy) {
    const { message, retryAfterSeconds } = error;
    return { status: 503, code: 'SERVICE_UNAVAILABLE', message, retryAfterSeconds };
  }
  if (isUnreadablePath(error))
    return { status: 400, code: 'VALIDATION_ERROR', message: 'The path is not properly encoded.' };
  return { status: 500, code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' };
}

const isAway = (error: unknown): boolean =>
  error instanceof ProcessesAway ||
  error instanceof OutcomeUnknown ||
  error instanceof CountingImpossible ||
  isDatabaseAway(error);

/** The router's complaint about `%` signs that encode nothing. */
const isUnreadablePath = (error: unknown): boolean =>
  error instanceof URIError && (error as { status?: unknown }).status === 400;
