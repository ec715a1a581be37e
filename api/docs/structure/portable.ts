import { allSchemas, type Document, type Schema } from './schema';

/** Look-around, and classes of Unicode, which expressions of many languages do not have (JSON Schema, 6.4). */
const UNPORTABLE = /\(\?<?[=!]|\\[pP]\{/;

/**
 * Keeps to what generators of all languages read: a value that may be null has a list of types, a date or a timestamp is
 * one text, a boolean is no constant, a value has one type, no alternatives are of required fields only, and patterns are of the
 * common kind. What is left out, the server checks all the
 * same. No object is closed: a client of today reads the fields of tomorrow.
 */
export function makePortable(document: Document): void {
  // Inner schemas come after the ones that they are in.
  for (const schema of allSchemas(document).toReversed()) {
    if (typeof schema['pattern'] === 'string' && UNPORTABLE.test(schema['pattern'])) delete schema['pattern'];
    if (schema.additionalProperties === false) delete schema.additionalProperties;
    joinDates(schema);
    joinNull(schema);
    openConstants(schema);
    openTypes(schema);
    dropForms(schema);
    for (const field of Object.values(schema.properties ?? {}))
      if (isNull(field)) field.type = ['string', 'null'];
  }
}

/** The form of a date, or of a timestamp with its offset. */
const DATE_OR_TIMESTAMP =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' +
  '(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$';

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

/** A boolean that is always the same is a boolean: generators of typed languages take such a constant for a text. */
function openConstants(schema: Schema): void {
  if (typeof schema.const === 'boolean') delete schema.const;
}

/** A value of several types is any value, and a list of whole numbers one of integers. */
function openTypes(schema: Schema): void {
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) schema.type = 'integer';
  if ([schema.type].flat().filter((type) => type !== 'null').length > 1) delete schema.type;
}

/** Alternatives that only name required fields are said in words: a generator would make types of them, without fields. */
function dropForms(schema: Schema): void {
  const { properties, anyOf = [] } = schema;
  if (properties && anyOf.length > 0 && anyOf.every((form) => Object.keys(form).join() === 'required'))
    delete schema.anyOf;
}

const isNull = ({ type }: Schema): boolean => type === 'null';
