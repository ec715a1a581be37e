import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
type Components = Readonly<Record<string, Schema>>;

const SAMPLE_OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0199f0c2-7c2e-7000-8000-0123456789ab',
  email: 'buyer@example.com',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uri: 'https://example.com/page',
};

/** A sample value for a JSON schema: its own example or default if it has one, else the simplest valid value. */
export function sampleOf(schema: Schema, components: Components, inside: readonly string[] = []): unknown {
  if (isReference(schema)) {
    const name = schema.$ref.replace(/^.*\//, '');
    const target = components[name];
    // Ends the recursion of nested schemas, such as categories.
    return target === undefined || inside.includes(name)
      ? undefined
      : sampleOf(target, components, [...inside, name]);
  }
  const stated = statedIn(schema);
  if (stated !== undefined) return stated;
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []).filter((option) => !isNull(option));
  if (choice) return sampleOf(choice, components, inside);
  if (schema.allOf) return merged(schema.allOf.map((part) => sampleOf(part, components, inside)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return sampleOfType(types.find((type) => type !== 'null') ?? types[0], schema, components, inside);
}

/** The value that the schema itself names. */
function statedIn(schema: oas31.SchemaObject): unknown {
  const {
    const: only,
    default: fallback,
    enum: choices,
    example,
    examples,
  } = schema as Record<string, unknown>;
  return example ?? firstOf(examples) ?? firstOf(choices) ?? only ?? fallback;
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

const isReference = (schema: Schema): schema is oas31.ReferenceObject => typeof schema.$ref === 'string';

const isNull = (schema: Schema): boolean => 'type' in schema && schema.type === 'null';

const merged = (parts: readonly unknown[]): object => Object.assign({}, ...parts) as object;

function sampleOfType(
  type: unknown,
  schema: oas31.SchemaObject,
  components: Components,
  inside: readonly string[],
): unknown {
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      const sampled = fields.map(([name, field]) => [name, sampleOf(field, components, inside)] as const);
      return Object.fromEntries(sampled.filter(([, value]) => value !== undefined));
    }
    case 'array': {
      const item = schema.items ? sampleOf(schema.items, components, inside) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'string':
      return (
        SAMPLE_OF_FORMAT[schema.format ?? ''] ??
        'text'.padEnd(schema.minLength ?? 0, '.').slice(0, schema.maxLength)
      );
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}
