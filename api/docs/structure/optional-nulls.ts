import {
  innerSchemas,
  operationsOf,
  referredIn,
  schemasOfOperation,
  type Document,
  type Operation,
  type Schema,
} from './schema';

/**
 * Says of optional fields of creations and actions that they may be null, which `withoutNulls` takes for absent. Changes
 * are left out, since null clears there; so are forms, whose fields are texts, and components that others use too.
 */
export function allowNulls(document: Document): void {
  const bodies = bodiesOf(document);
  const isBody = new Set(bodies);
  const others = operationsOf(document)
    .flatMap(schemasOfOperation)
    .filter((schema) => !isBody.has(schema));
  const usedElsewhere = reached(document, others);
  for (const schema of reached(document, bodies)) if (!usedElsewhere.has(schema)) makeNullable(schema);
}

/** The JSON bodies of all requests but changes. */
const bodiesOf = ({ paths }: Document): Schema[] =>
  Object.values(paths).flatMap((operations) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      method === 'patch' ? [] : bodyOf(operation),
    ),
  );

const bodyOf = ({ requestBody }: Operation): Schema[] => {
  const media = requestBody?.content['application/json'];
  return media ? [media.schema] : [];
};

/** The schemas, all inside them, and all that they refer to. */
function reached({ components }: Document, roots: readonly Schema[]): Set<Schema> {
  const found = new Set<Schema>();
  const waiting = [...roots];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (found.has(schema)) continue;
    found.add(schema);
    const component = components.schemas[referredIn(schema) ?? ''];
    waiting.push(...innerSchemas(schema), ...(component ? [component] : []));
  }
  return found;
}

function makeNullable({ properties = {}, required = [] }: Schema): void {
  for (const [name, field] of Object.entries(properties))
    if (!required.includes(name) && !takesNull(field)) properties[name] = orNull(field);
}

const takesNull = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(takesNull);

/** The field as one of two alternatives, with what is said of the whole. */
function orNull({ description, default: usual, example, ...value }: Schema): Schema {
  return {
    anyOf: [value, { type: 'null' }],
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    ...(example !== undefined && { example }),
  };
}
