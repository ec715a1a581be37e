import type { oas31 } from 'zod-openapi';
import { takesKey } from '../http/answer/errors';
import type { Endpoint } from '../http/endpoint';

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

/** Headers of answers, described once. */
export const sharedHeaders: Headers = {
  'X-Request-Id': text(
    'Names this request in our logs; the one sent, or ours.',
    '0199f0c2-7c2e-7000-8000-000000000001',
  ),
  'X-RateLimit-Limit': whole('Requests allowed in the window.', 100),
  'X-RateLimit-Remaining': whole('Requests left in the window.', 99),
  'X-RateLimit-Reset': whole('When the window ends, in seconds since 1970.', 1_790_000_000),
  'X-RateLimit-Policy': text('`financial` where money moves.', 'financial'),
  'Retry-After': whole('Seconds after which to ask again.', 2),
  'Idempotent-Replayed': text('`true` when this is the kept answer to an earlier request.', 'true'),
  Link: text(
    'First, previous, next and last page (RFC 8288).',
    '</api/v1/orders?page=2&pageSize=20>; rel="next"',
  ),
  'Content-Disposition': text('The name under which to save it.', 'attachment; filename=products.csv'),
  Location: text('Where to go on.', 'https://accounts.example/authorize?client_id=…'),
  ETag: text('Names this version of the answer.', 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  'WWW-Authenticate': text('How to say who you are.', 'Bearer'),
  'Set-Cookie': text(
    'The tokens, for browsers.',
    'svc_access_token=…; Path=/; HttpOnly; Secure; SameSite=Lax',
  ),
};

export const sharedParameters: Record<string, oas31.ParameterObject> = {
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Sent again with the same key, the request happens once and gets the same answer. Kept for 24 hours.',
    // Spaces around a header's value are no part of it.
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
    example: '5f0c1d3e-9d3c-4b7e-8a55-0d6f1b2c3a4e',
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of the answer that is already there; 304 when it still holds.',
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
 * Whether a request with this answer was counted: not one with too long a query, one of somebody who may not use the
 * endpoint at all, nor a report from nobody or one whose signature could not be looked at.
 */
function isCounted({ auth, sender }: Endpoint, status: number): boolean {
  if (status === 414) return false;
  if (sender && (status === 404 || status === 413 || status === 415)) return false;
  return auth === 'public' || (status !== 401 && status !== 403);
}

/** The headers that an endpoint's answer of this status carries. */
export function headersOf(endpoint: Endpoint, status: number): Record<string, oas31.ReferenceObject> {
  const good = status < 300;
  const names = [
    'X-Request-Id',
    ...(isCounted(endpoint, status) ? limitHeaders(endpoint) : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(takesKey(endpoint) && status < 500 && status !== 429 ? ['Idempotent-Replayed'] : []),
    ...(good && endpoint.paginated ? ['Link'] : []),
    ...(status === 302 ? ['Location'] : []),
    ...(good && endpoint.produces ? ['Content-Disposition'] : []),
    ...((good || status === 304) && isKept(endpoint) ? ['ETag'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Whether anyone may keep the endpoint's answers and ask whether they still hold. */
export const isKept = ({ method, auth, success }: Endpoint): boolean =>
  method === 'get' && success.includes(200) && (auth === 'public' || auth === 'optional');
