import { z } from 'zod';
import type { oas31, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Endpoint } from '../http/endpoint';
import { errorsOf } from '../http/answer/errors';
import { ERROR_CODES } from '../../workflows/error-codes';
import type { ErrorCode } from '../../workflows/errors';
import { REASONS } from '../../workflows/reasons';
import { refusalExample } from './examples/refusals';
import { headersOf } from './headers';

const Code = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description:
    'Every code of the API. Each operation names its own. In addition, an unknown path answers 404 `NOT_FOUND`, and a method that a path does not have 405 `METHOD_NOT_ALLOWED` with the header `Allow`.',
});

const reason = z.enum(REASONS).meta({
  id: 'ErrorReason',
  description: 'The rule that was broken. It tells refusals with the same `code` apart.',
});

const details = z.record(z.string(), z.array(z.string())).meta({
  description: 'The fields that are not valid, by dotted name, each with its messages.',
});

const ErrorBody = z
  .strictObject({
    code: Code.describe('The code of the refusal, by which programs tell refusals apart.'),
    message: z
      .string()
      .meta({ description: 'A sentence for people. It may change; tell errors apart by `code`.' }),
    reason: reason.optional(),
    details: details.optional(),
  })
  .meta({ id: 'ErrorBody' });

const refused = z.boolean().describe('False: the request was refused, and nothing was done.');

/** The body of every refusal but that of a limit. */
export const Refusal = z.strictObject({ success: refused, error: ErrorBody.describe('What went wrong.') });

/** The body of a request that exceeded a limit. */
export const LimitRefusal = z.strictObject({
  success: refused,
  error: ErrorBody.describe('What went wrong.'),
  statusCode: z.literal(429).describe('The HTTP status once more.'),
  message: z.literal('Too Many Requests'),
  retryAfter: z.int().positive().meta({ description: 'Seconds to wait, as in the header `Retry-After`.' }),
});

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  413: 'Payload too large',
  414: 'URI too long',
  415: 'Unsupported media type',
  422: 'Unprocessable',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** One response per error status, with its error codes and an example of each. */
export function refusals(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const codesOfStatus = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(errorsOf(endpoint)) as [ErrorCode, number][])
    codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of [...codesOfStatus].sort(([a], [b]) => a - b)) {
    responses[`${status}` as `${4 | 5}${string}`] = {
      description: `${STATUS_WORDS[status] ?? 'Refused'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
      headers: headersOf(endpoint, status),
      content: {
        'application/json': {
          schema: schemaOf(status, codes),
          examples: examplesOf(endpoint, status, codes),
        },
      },
      'x-error-codes': codes,
    };
  }
  return responses;
}

/** The body with these codes only, so that generated types tell them apart. */
function schemaOf(status: number, codes: readonly ErrorCode[]): oas31.SchemaObject {
  const narrowed: oas31.SchemaObject = {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: { code: { type: 'string', enum: [...codes] } },
        required: ['code'],
      },
    },
    required: ['error'],
  };
  return {
    allOf: [{ $ref: `#/components/schemas/${status === 429 ? 'RateLimitError' : 'Error'}` }, narrowed],
  };
}

function examplesOf(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): oas31.ExamplesObject {
  return Object.fromEntries(codes.map((code) => [code, { value: example(endpoint, status, code) }]));
}

function example(endpoint: Endpoint, status: number, code: ErrorCode): object {
  const refused = { success: false, error: { code, ...refusalExample(endpoint, code) } };
  if (status !== 429) return refused;
  return { ...refused, statusCode: 429, message: 'Too Many Requests', retryAfter: 30 };
}
