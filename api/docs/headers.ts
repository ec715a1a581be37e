import type { oas31 } from 'zod-openapi';
import { takesKey } from '../http/answer/errors';
import type { Endpoint, RefusalStatus } from '../http/endpoint';

type Headers = Record<string, oas31.HeaderObject>;

const whole = (description: string, example: number): oas31.HeaderObject => ({
  description,
  schema: { type: 'integer' },
  example,
});

const text = (description: string, example: string): oas31.HeaderObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of answers; operations refer to them. */
export const sharedHeaders: Headers = {
  'X-Request-Id': text(
    'The id of this request in our logs; the one sent, or a new one.',
    '0199f0c2-7c2e-7000-8000-000000000001',
  ),
  'X-RateLimit-Limit': whole('Requests allowed in the window.', 100),
  'X-RateLimit-Remaining': whole('Requests left in the window.', 99),
  'X-RateLimit-Reset': whole('When the window ends, in seconds since 1970.', 1_790_000_000),
  'X-RateLimit-Policy': text('`financial` for operations that move money.', 'financial'),
  'Retry-After': whole('Seconds after which to try again.', 2),
  'Idempotent-Replayed': text('`true` if this is the stored answer to an earlier request.', 'true'),
  Link: text(
    'First, previous, next and last page (RFC 8288).',
    '</api/v1/orders?page=2&pageSize=20>; rel="next"',
  ),
  'Content-Disposition': text('The file name for saving.', 'attachment; filename=products.csv'),
  Location: text('The address to go to.', 'https://accounts.example/authorize?client_id=shop'),
  ETag: text('The version of the answer.', 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  'WWW-Authenticate': text('The way to authenticate.', 'Bearer'),
};

export const sharedParameters: Record<string, oas31.ParameterObject> = {
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Repeated with the same key, the request takes effect once and gets the same answer. Stored for 24 hours.',
    // HTTP strips spaces around a header's value.
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of the answer that the client has; 304 if it is still current.',
    schema: { type: 'string' },
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
};

const limitHeaders = ({ limit }: Endpoint): string[] => [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  ...(limit.financial ? ['X-RateLimit-Policy'] : []),
];

/**
 * True if a request with this answer was counted. Not counted are requests with too long a query, requests without
 * access, and reports of an unknown sender or with an unreadable body.
 */
function isCounted({ auth, sender }: Endpoint, status: number): boolean {
  if (status === 414) return false;
  if (sender && (status === 404 || status === 413 || status === 415)) return false;
  return auth === 'public' || (status !== 401 && status !== 403);
}

/** True if the answer may be a stored one: success, a rule of the business, or a refusal that the endpoint names. */
const isReplayable = (endpoint: Endpoint, status: number): boolean =>
  takesKey(endpoint) && (status <= 400 || Object.values(endpoint.errors).includes(status as RefusalStatus));

/** The headers that an endpoint's answer of this status carries. */
export function headersOf(endpoint: Endpoint, status: number): Record<string, oas31.ReferenceObject> {
  const isSuccess = status < 300;
  const names = [
    'X-Request-Id',
    ...(isCounted(endpoint, status) ? limitHeaders(endpoint) : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(isReplayable(endpoint, status) ? ['Idempotent-Replayed'] : []),
    ...(isSuccess && endpoint.paginated ? ['Link'] : []),
    ...(status === 302 ? ['Location'] : []),
    ...(isSuccess && endpoint.produces ? ['Content-Disposition'] : []),
    ...((isSuccess || status === 304) && isCacheable(endpoint) ? ['ETag'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** True if caches may store the endpoint's answers and revalidate them. */
export const isCacheable = ({ method, auth, success }: Endpoint): boolean =>
  method === 'get' && success.includes(200) && (auth === 'public' || auth === 'optional');
