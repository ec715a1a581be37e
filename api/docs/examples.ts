import type { oas31 } from 'zod-openapi';
import type { z } from 'zod';
import type { Endpoint } from '../http/endpoint';
import { documentedPath } from './path';
import { sampleOf } from './sample';

type Content = Readonly<Record<string, oas31.MediaTypeObject>>;

/** Adds an example to every request body and every successful answer, unless its own schema refuses the example. */
export function withExamples(
  document: oas31.OpenAPIObject,
  endpoints: readonly Endpoint[],
): oas31.OpenAPIObject {
  const components = document.components?.schemas ?? {};
  const exemplify = (content: Content | undefined, isValid: (example: unknown) => boolean) => {
    const media = content?.['application/json'];
    if (!media?.schema) return;
    const example = sampleOf(media.schema, components);
    if (isValid(example)) media.example = example;
  };
  for (const endpoint of endpoints) {
    const operation = document.paths?.[documentedPath(endpoint)]?.[endpoint.method];
    if (!operation) continue;
    exemplify(contentOf(operation.requestBody), (example) => fits(endpoint.body, example));
    for (const status of endpoint.success) {
      const response: unknown = operation.responses?.[`${status}`];
      exemplify(contentOf(response), (example) => fits(endpoint.data, dataOf(example)));
    }
  }
  return document;
}

const fits = (schema: z.ZodType, example: unknown): boolean => schema.safeParse(example).success;

function contentOf(described: unknown): Content | undefined {
  return typeof described === 'object' && described !== null && 'content' in described
    ? (described.content as Content)
    : undefined;
}

function dataOf(envelope: unknown): unknown {
  return typeof envelope === 'object' && envelope !== null && 'data' in envelope ? envelope.data : undefined;
}
