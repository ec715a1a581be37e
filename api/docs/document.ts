import { createDocument, type oas31, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ACCESS_COOKIE } from '../http/request/cookies';
import type { Endpoint } from '../http/endpoint';
import { withExamples } from './examples';
import { describeFields } from './fields';
import { sharedHeaders, sharedParameters } from './headers';
import { operation } from './operation';
import { documentedPath } from './path';
import { plainSchema } from './plain-schema';
import { LimitRefusal, Refusal } from './refusals';
import { nameIgnored } from './structure/ignored';
import { allowNulls } from './structure/optional-nulls';
import { discriminatePayments } from './structure/payments';
import { makePortable } from './structure/portable';
import { plainJson, structureOf } from './structure/schema';
import { nameSchemas } from './structure/schema-names';
import { shareResponses } from './structure/share-responses';
import { TAGS } from './tags';

const ABOUT = `Every answer is one envelope: \`{ success: true, data, meta? }\` or \`{ success: false, error: { code, message, reason?, details? } }\`.

**Limits** are given with each operation (\`x-rate-limit\`) and in the headers of its answers. In addition, a client may
send 10 requests a second, and 1,000 requests an hour to all operations marked \`general\` together.

**Idempotency-Key**: a POST that supports it can be repeated within 24 hours and takes effect once.

**null** in an optional field of a request is the same as leaving it out; in a PATCH it clears the field.

**Money** is a number in major units with a currency; **times** are ISO 8601.`;

/** Example values of this repository; a deployment names its own people here. */
const CONTACT = { name: 'API support', url: 'https://example.com/support', email: 'support@example.com' };

/** Describes the list of endpoints in OpenAPI 3.1. The same list is served, so no endpoint can be undocumented. */
export function describeApi(endpoints: readonly Endpoint[]): oas31.OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = documentedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint) };
  }
  const described: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Marketplace platform',
      version: '1',
      description: ABOUT,
      contact: CONTACT,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: TAGS.filter(({ name }) => endpoints.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: { Error: Refusal, RateLimitError: LimitRefusal },
      headers: sharedHeaders,
      parameters: sharedParameters,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` of a sign-in.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: ACCESS_COOKIE,
          description:
            'Set by a sign-in; takes precedence over the header. Writing requests need an allowed `Origin`.',
        },
      },
    },
  };
  const created = createDocument(described, { override: plainSchema });
  return structured(created, endpoints);
}

/** Gives the document its examples, and the names by which clients and readers find their way. */
function structured(created: oas31.OpenAPIObject, endpoints: readonly Endpoint[]): oas31.OpenAPIObject {
  const document = plainJson(created);
  const structure = structureOf(document);
  discriminatePayments(structure);
  withExamples(document, endpoints);
  nameSchemas(structure, endpoints);
  nameIgnored(structure);
  describeFields(structure);
  allowNulls(structure);
  makePortable(structure);
  shareResponses(structure);
  structure.components.schemas = sortedByName(structure.components.schemas);
  return document;
}

const sortedByName = <T>(named: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
