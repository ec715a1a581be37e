import { z } from 'zod';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { MOST_BODY_BYTES, MOST_VALUES, takesBody } from '../http/body/body';
import { FORM_TYPE, MOST_FORM_BYTES } from '../http/body/form-fields';
import type { Upload } from '../http/body/taken-file';
import type { Endpoint } from '../http/endpoint';
import { takesKey } from '../http/answer/errors';
import type { SuccessStatus } from '../http/answer/reply';
import { headersOf, isCacheable } from './headers';
import { refusals } from './refusals';

const Pagination = z
  .object({
    total: z.int().nonnegative().describe('The number of entries on all pages.'),
    page: z.int().positive().describe('The number of this page, from 1.'),
    pageSize: z.int().positive().describe('The most entries that a page has.'),
    totalPages: z.int().nonnegative().describe('The number of pages.'),
    hasNext: z.boolean().describe('True if there is a page after this one.'),
    hasPrevious: z.boolean().describe('True if there is a page before this one.'),
  })
  .meta({
    id: 'PaginationMeta',
    example: { total: 41, page: 1, pageSize: 20, totalPages: 3, hasNext: true, hasPrevious: false },
  });

/** The OpenAPI operation of one endpoint. */
export function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { limit, summary, description, tag } = endpoint;
  return {
    operationId: endpoint.id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: security(endpoint),
    ...headerParameters(endpoint),
    requestParams: {
      ...(isFilled(endpoint.params) && { path: endpoint.params }),
      ...(isFilled(endpoint.query) && { query: endpoint.query }),
    },
    ...requestBody(endpoint),
    responses: { ...successes(endpoint), ...unchanged(endpoint), ...refusals(endpoint) },
    'x-rate-limit': {
      requests: limit.requests,
      perSeconds: limit.perSeconds,
      per: limit.perSender ? 'sender' : limit.financial ? 'user' : 'client',
      ...(limit.also && { also: { requests: limit.also.requests, perSeconds: limit.also.perSeconds } }),
      policy: limit.financial ? 'financial' : limit.general ? 'general' : 'stated',
    },
  };
}

function security({ auth }: Endpoint): oas31.SecurityRequirementObject[] {
  if (auth === 'public') return [];
  const signedIn = [{ bearer: [] }, { cookie: [] }];
  return auth === 'optional' ? [{}, ...signedIn] : signedIn;
}

function requestBody(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (endpoint.raw) {
    const schema: oas31.SchemaObject = {
      type: 'object',
      description: 'The signature is verified over the bytes as sent.',
    };
    return { requestBody: { required: true, content: { 'application/json': { schema } } } };
  }
  if (endpoint.upload) return { requestBody: { required: true, ...formBody(endpoint, endpoint.upload) } };
  if (!takesBody(endpoint) || !isFilled(endpoint.body)) return {};
  const most = endpoint.form
    ? `A form of at most ${MOST_FORM_BYTES} bytes`
    : `At most ${MOST_BODY_BYTES} bytes and ${endpoint.mostValues ?? MOST_VALUES} values`;
  const description = `${most}. Unknown fields are dropped, and named in \`meta.ignored\`.`;
  return {
    requestBody: {
      // An empty body counts as `{}`, which matches none of several alternatives.
      required: !endpoint.body.safeParse({}).success || 'anyOf' in (endpoint.body.meta() ?? {}),
      description,
      content: { [endpoint.form ? FORM_TYPE : 'application/json']: { schema: endpoint.body } },
    },
  };
}

/** A form: one file and the fields of the contract's body. */
function formBody({ body }: Endpoint, { field, maxBytes }: Upload) {
  const file = z.file().meta({ description: `At most ${maxBytes} bytes.` });
  const fields = body instanceof z.ZodObject ? body : z.object({});
  const schema = fields.extend({ [field]: file });
  return { content: { 'multipart/form-data': { schema } } };
}

function successes(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const envelope = z.object({
    success: z.boolean().meta({ example: true }),
    data: endpoint.data,
    ...(endpoint.paginated && {
      meta: z.object({ pagination: Pagination.describe('Where the page stands in the list.') }),
    }),
  });
  const responses: ZodOpenApiResponsesObject = {};
  for (const status of endpoint.success) {
    responses[`${status}`] = {
      description: descriptionOf(endpoint, status),
      headers: headersOf(endpoint, status),
      content: fileContent(endpoint) ?? { 'application/json': { schema: envelope } },
    };
  }
  return responses;
}

/** The description of a success. */
const descriptionOf = ({ returns, summary }: Endpoint, status: SuccessStatus): string =>
  typeof returns === 'string' ? returns : (returns[status] ?? summary);

/** The content of a success that is a file: text, or bytes of one of several types. */
function fileContent({ produces }: Endpoint): Record<string, { schema: oas31.SchemaObject }> | null {
  if (produces === undefined) return null;
  if (produces === 'text/csv') return { [produces]: { schema: { type: 'string' } } };
  return Object.fromEntries(
    produces.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const),
  );
}

/** The 304 for a caller that has this version already. */
function unchanged(endpoint: Endpoint): ZodOpenApiResponsesObject {
  if (!isCacheable(endpoint)) return {};
  return {
    '304': {
      description: 'Not modified: the version in `If-None-Match` is current',
      headers: headersOf(endpoint, 304),
    },
  };
}

function headerParameters(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'parameters'> {
  const names = [
    ...(takesKey(endpoint) ? ['Idempotency-Key'] : []),
    ...(isCacheable(endpoint) ? ['If-None-Match'] : []),
  ];
  return names.length === 0
    ? {}
    : { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) };
}

/** True if a part of the contract has fields. */
function isFilled(schema: z.ZodType): schema is z.ZodType<unknown, Record<string, unknown>> {
  return !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;
}
