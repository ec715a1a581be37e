import type { oas31 } from 'zod-openapi';
import type { z } from 'zod';
import { FORM_TYPE } from '../http/body/form-fields';
import type { Endpoint } from '../http/endpoint';
import { bodyExample, pathExample } from './examples/requests';
import { documentedPath } from './path';
import { sampleOf } from './examples/sample';

type Content = Readonly<Record<string, oas31.MediaTypeObject>>;

/**
 * Adds an example to every parameter of a path, every request body and every successful answer, unless its own schema
 * refuses the example. Those of requests can be sent to a platform with the demo data.
 */
export function withExamples(
  document: oas31.OpenAPIObject,
  endpoints: readonly Endpoint[],
): oas31.OpenAPIObject {
  const components = document.components?.schemas ?? {};
  const exemplify = (
    described: unknown,
    isValid: (example: unknown) => boolean,
    exampleOf = (sample: unknown): unknown => sample,
  ) => {
    const content = contentOf(described);
    const media = content?.['application/json'] ?? content?.[FORM_TYPE];
    if (!media?.schema) return;
    const example = exampleOf(sampleOf(media.schema, components));
    if (isValid(example)) media.example = example;
  };
  for (const endpoint of endpoints) {
    const operation = document.paths?.[documentedPath(endpoint)]?.[endpoint.method];
    if (!operation) continue;
    for (const parameter of operation.parameters ?? [])
      if ('in' in parameter) fillParameter(endpoint, parameter, components);
    exemplify(
      operation.requestBody,
      (example) => fits(endpoint.body, example),
      (sample) => bodyExample(endpoint, sample),
    );
    for (const status of endpoint.success)
      exemplify(operation.responses?.[`${status}`], (example) => fits(endpoint.data, dataOf(example)));
  }
  return document;
}

/**
 * Gives a required parameter its example, and takes that of an optional one in the query away: the page would fill it
 * in, and filter by it.
 */
function fillParameter(
  endpoint: Endpoint,
  parameter: oas31.ParameterObject,
  components: Parameters<typeof sampleOf>[1],
): void {
  const { in: place, name, required, schema } = parameter;
  if (!schema || (place !== 'path' && place !== 'query')) return;
  delete parameter.example;
  if (place === 'path') parameter.example = pathExample(endpoint, name);
  else if (required) parameter.example = sampleOf(schema, components, { field: name, inside: [] });
  if ('example' in schema)
    parameter.schema = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'example'));
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
