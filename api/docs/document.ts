import { createDocument, type oas31, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ACCESS_COOKIE } from '../http/answer/cookies';
import type { Endpoint } from '../http/endpoint';
import { withExamples } from './examples';
import { sharedHeaders, sharedParameters } from './headers';
import { operation } from './operation';
import { documentedPath } from './path';
import { plainSchema } from './plain-schema';

const ABOUT = `Every answer is one envelope: \`{ success: true, data, meta? }\` or \`{ success: false, error: { code, message, details? } }\`.

**Limits** stand at each operation (\`x-rate-limit\`) and in the headers of its answers. Beside them, any client may ask
10 times a second; operations marked \`general\` together 1,000 times an hour.

**Idempotency-Key**: a POST that takes it can be sent again, at any time within a day, and happens once.

**Money** is a number in major units beside a currency; **times** are ISO 8601.`;

/** The list that is served is the list that is described (OpenAPI 3.1), so nothing can go undocumented. */
export function describeApi(endpoints: readonly Endpoint[]): oas31.OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = documentedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint) };
  }
  const described: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Marketplace platform', version: '1', description: ABOUT },
    servers: [{ url: '/', description: 'This server' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      headers: sharedHeaders,
      parameters: sharedParameters,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: '`accessToken` of a login.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: ACCESS_COOKIE,
          description: 'Set by a login; read before the header. Writing needs an allowed `Origin`.',
        },
      },
    },
  };
  return withExamples(createDocument(described, { override: plainSchema }), endpoints);
}
