import { z } from 'zod';
import type { oas31, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Endpoint } from '../http/endpoint';
import { errorsOf } from '../http/answer/errors';
import type { ErrorCode } from '../../workflows/errors';
import { errorExample } from './error-examples';
import { headersOf } from './headers';

const error = z.object({
  code: z.string(),
  message: z.string(),
  details: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({ description: 'Which fields are wrong and why, by dotted name.' }),
});

const Refusal = z.object({ success: z.literal(false), error }).meta({ id: 'Error' });

const LimitRefusal = z
  .object({
    success: z.literal(false),
    error,
    statusCode: z.literal(429),
    message: z.literal('Too Many Requests'),
    retryAfter: z.int().positive().meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'RateLimitError' });

const DESCRIPTIONS: Record<number, string> = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflicts with the current state',
  413: 'Too large',
  414: 'URI too long',
  415: 'Unsupported media type',
  422: 'Not the same request',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Temporarily unavailable',
};

/** One response per error status, with its error codes and an example of each. */
export function refusals(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const codesOfStatus = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(errorsOf(endpoint)) as [ErrorCode, number][])
    codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of [...codesOfStatus].sort(([a], [b]) => a - b)) {
    responses[`${status}` as `${4 | 5}${string}`] = {
      description: `${DESCRIPTIONS[status] ?? 'Refused'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
      headers: headersOf(endpoint, status),
      content: {
        'application/json': {
          schema: status === 429 ? LimitRefusal : Refusal,
          examples: examplesOf(endpoint, status, codes),
        },
      },
      'x-error-codes': codes,
    };
  }
  return responses;
}

function examplesOf(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): oas31.ExamplesObject {
  return Object.fromEntries(codes.map((code) => [code, { value: example(endpoint, status, code) }]));
}

function example(endpoint: Endpoint, status: number, code: ErrorCode): object {
  const refused = { success: false, error: { code, ...errorExample(endpoint, code) } };
  if (status !== 429) return refused;
  return { ...refused, statusCode: 429, message: 'Too Many Requests', retryAfter: 30 };
}
