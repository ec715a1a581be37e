import { z } from 'zod';
import type { oas31, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Endpoint } from '../http/endpoint';
import { errorsOf } from '../http/answer/errors';
import { REASONS } from '../../workflows/errors';
import { headersOf } from './headers';

const error = z.object({
  code: z.string(),
  message: z.string(),
  details: z
    .object({
      reason: z
        .union([z.enum(REASONS), z.array(z.string())])
        .optional()
        .meta({ description: 'The rule that was broken. A list is about a field that is called `reason`.' }),
    })
    .catchall(z.array(z.string()))
    .optional()
    .meta({ description: 'Which fields are wrong and why, by dotted name, or the rule that was broken.' }),
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
  const codesOfStatus = new Map<number, string[]>();
  for (const [code, status] of Object.entries(errorsOf(endpoint)))
    codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of [...codesOfStatus].sort(([a], [b]) => a - b)) {
    responses[`${status}` as `${4 | 5}${string}`] = {
      description: `${DESCRIPTIONS[status] ?? 'Refused'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
      headers: headersOf(endpoint, status),
      content: {
        'application/json': {
          schema: status === 429 ? LimitRefusal : Refusal,
          examples: examplesOf(status, codes),
        },
      },
      'x-error-codes': codes,
    };
  }
  return responses;
}

function examplesOf(status: number, codes: readonly string[]): oas31.ExamplesObject {
  return Object.fromEntries(codes.map((code) => [code, { value: example(status, code) }]));
}

function example(status: number, code: string): object {
  const details = code === 'VALIDATION_ERROR' && { details: { field: ['is required'] } };
  const refused = { success: false, error: { code, message: sentence(code), ...details } };
  if (status !== 429) return refused;
  return { ...refused, statusCode: 429, message: 'Too Many Requests', retryAfter: 30 };
}

/** The sentence of a code: `CART_ITEM_NOT_FOUND` is `Cart item not found.` */
function sentence(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
