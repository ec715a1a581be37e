import type { Endpoint } from '../../http/endpoint';
import { capitalised } from './schema';
import { documentedPath } from '../path';
import { allSchemas, referenceTo, referredIn, schemasIn, schemasOfOperation } from './schema';
import type { Document, Operation, Schema } from './schema';

type Renamed = Map<string, string>;

/**
 * Names the schemas of requests and answers after their operation: `CheckoutRequest`, `CheckoutResult`. Only schemas
 * that several operations share keep names of their own, and what GET answers: `OrderDetail`.
 */
export function nameSchemas(document: Document, endpoints: readonly Endpoint[]): void {
  const uses = usesOf(document);
  const renamed: Renamed = new Map();
  for (const endpoint of endpoints) {
    const operation = document.paths[documentedPath(endpoint)]?.[endpoint.method];
    if (!operation) continue;
    const name = capitalised(operation.operationId);
    const isOwn = (component: string) => uses.get(component)?.size === 1;
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      media.schema = named(document, renamed, { schema: media.schema, name: `${name}Request`, isOwn });
    for (const data of answersOf(operation)) {
      const answer = { schema: data.data, name: `${name}Result`, isOwn };
      const keeps = endpoint.method === 'get' && data.data.$ref !== undefined;
      if (!keeps) data.data = named(document, renamed, answer);
    }
  }
  rename(document, renamed);
}

/** The places that refer to each component: operations by their ids, and other components by their names. */
function usesOf(document: Document): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const use = (place: string, schema: Schema) => {
    for (const inner of schemasIn(schema)) {
      const name = referredIn(inner);
      if (name !== undefined) uses.set(name, (uses.get(name) ?? new Set()).add(place));
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) use(name, schema);
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      for (const schema of schemasOfOperation(operation)) use(operation.operationId, schema);
  return uses;
}

/** The `properties` of successful answers that hold `data`. */
const answersOf = ({ responses }: Operation): { data: Schema }[] =>
  Object.entries(responses).flatMap(([status, { content }]) => {
    const properties = content?.['application/json']?.schema.properties;
    return Number(status) < 400 && properties?.['data'] ? [properties as { data: Schema }] : [];
  });

interface Candidate {
  schema: Schema;
  name: string;
  isOwn: (component: string) => boolean;
}

/** Returns a reference. Registers a schema in place under `name`; renames a component that only this operation uses. */
function named({ components }: Document, renamed: Renamed, { schema, name, isOwn }: Candidate): Schema {
  const component = referredIn(schema);
  if (component === undefined) {
    components.schemas[name] = schema;
    return referenceTo(name);
  }
  if (isOwn(component) && component !== name) renamed.set(component, name);
  return schema;
}

function rename(document: Document, renamed: Renamed): void {
  for (const schema of allSchemas(document)) {
    const name = renamed.get(referredIn(schema) ?? '');
    if (name !== undefined) Object.assign(schema, referenceTo(name));
  }
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) => [renamed.get(name) ?? name, schema] as const,
  );
  const names = named.map(([name]) => name);
  const taken = names.find((name, index) => names.indexOf(name) !== index);
  if (taken !== undefined) throw new Error(`Two schemas of the document are called ${taken}.`);
  document.components.schemas = Object.fromEntries(named);
}
