import { allSchemas, type Document, type Schema } from './schema';

/** Look-around, and classes of Unicode, which expressions of many languages do not have (JSON Schema, 6.4). */
const UNPORTABLE = /\(\?<?[=!]|\\[pP]\{/;

/**
 * Keeps to what generators of all languages read: a value that may be null has a list of types, a date or a timestamp is
 * one text, and patterns are of the common kind. What is left out of a pattern, the server checks all the same.
 */
export function makePortable(document: Document): void {
  // Inner schemas come after the ones that they are in.
  for (const schema of allSchemas(document).toReversed()) {
    if (typeof schema['pattern'] === 'string' && UNPORTABLE.test(schema['pattern'])) delete schema['pattern'];
    joinDates(schema);
    joinNull(schema);
  }
}

/** The form of a date, or of a timestamp with its offset. */
const DATE_OR_TIMESTAMP =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$';

/** A date or a timestamp as one text. */
function joinDates(schema: Schema): void {
  const { anyOf = [] } = schema;
  const formats = anyOf.map(({ type, format }) => (type === 'string' ? format : undefined)).sort();
  if (formats.join() !== 'date,date-time') return;
  delete schema.anyOf;
  Object.assign(schema, { type: 'string', pattern: DATE_OR_TIMESTAMP });
}

/** A type that may be null; enums and components stay alternatives, because they have names. */
function joinNull(schema: Schema): void {
  const [first, second, ...others] = schema.anyOf ?? [];
  if (!first || !second || others.length > 0) return;
  const value = isNull(first) ? second : first;
  if (value === second ? !isNull(first) : !isNull(second)) return;
  const { type, ...facts } = value;
  if (typeof type !== 'string' || 'enum' in value || 'const' in value) return;
  delete schema.anyOf;
  for (const [keyword, fact] of Object.entries(facts)) schema[keyword] ??= fact;
  schema.type = [type, 'null'];
}

const isNull = ({ type }: Schema): boolean => type === 'null';
