import { operationsOf, referenceTo, type Document, type Operation, type Schema } from './schema';

const ignored: Schema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Names of fields and query parameters that the operation does not know, and dropped; left out if there are none.',
};

/** Documents `meta.ignored` in the answers of operations that take a body or a query. */
export function nameIgnored({ components, ...document }: Document): void {
  const own = { type: 'object', properties: { ignored } };
  for (const operation of operationsOf({ components, ...document }).filter(takesFields)) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const envelope = content?.['application/json']?.schema;
      if (Number(status) >= 300 || !envelope?.properties) continue;
      const { meta } = envelope.properties;
      const name = meta ? 'PageMeta' : 'AnswerMeta';
      components.schemas[name] ??= structuredClone(
        meta ? { ...meta, properties: { ...meta.properties, ignored } } : own,
      );
      envelope.properties['meta'] = referenceTo(name);
    }
  }
}

const takesFields = ({ parameters = [], requestBody }: Operation): boolean =>
  requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query');
