import type { oas31 } from 'zod-openapi';
import { numberNamed, textNamed } from './by-name';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
type Components = Readonly<Record<string, Schema>>;

/** The place of a schema: the field that holds it, after the name of what holds the field, and the components around it. */
interface Place {
  field: string;
  inside: readonly string[];
}

/**
 * A sample value for a JSON schema: its own example or default if it has one, else a value that is usual for a field of
 * its name.
 */
export function sampleOf(
  schema: Schema,
  components: Components,
  { field, inside }: Place = { field: '', inside: [] },
): unknown {
  const stated = statedIn(schema);
  if (stated !== undefined) return stated;
  if (isReference(schema)) {
    const name = schema.$ref.replace(/^.*\//, '');
    const target = components[name];
    // Ends the recursion of nested schemas, such as categories.
    return target === undefined || inside.includes(name)
      ? undefined
      : sampleOf(target, components, { field, inside: [...inside, name] });
  }
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []).filter((option) => !isNull(option));
  if (choice) return sampleOf(choice, components, { field, inside });
  if (schema.allOf) return merged(schema.allOf.map((part) => sampleOf(part, components, { field, inside })));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return sampleOfType(types.find((type) => type !== 'null') ?? types[0], schema, components, {
    field,
    inside,
  });
}

/** The value that the schema itself names. */
function statedIn(schema: Schema): unknown {
  const {
    const: only,
    default: fallback,
    enum: choices,
    example,
    examples,
  } = schema as Record<string, unknown>;
  return example ?? firstOf(examples) ?? firstOf(choices) ?? only ?? fallback;
}

/** The last name of the field, or the component. */
const holderOf = (field: string, inside: readonly string[]): string =>
  field.replace(/^.*\./, '') || (inside.at(-1) ?? '');

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

const isReference = (schema: Schema): schema is oas31.ReferenceObject => typeof schema.$ref === 'string';

const isNull = (schema: Schema): boolean => 'type' in schema && schema.type === 'null';

const merged = (parts: readonly unknown[]): object => Object.assign({}, ...parts) as object;

function sampleOfType(
  type: unknown,
  schema: oas31.SchemaObject,
  components: Components,
  { field, inside }: Place,
): unknown {
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      const sampled = fields.map(
        ([name, inner]) =>
          [
            name,
            sampleOf(inner, components, { field: `${holderOf(field, inside)}.${name}`, inside }),
          ] as const,
      );
      return Object.fromEntries(sampled.filter(([, value]) => value !== undefined));
    }
    case 'array': {
      const item = schema.items ? sampleOf(schema.items, components, { field, inside }) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'string':
      return textNamed(field, schema);
    case 'integer':
    case 'number':
      return numberNamed(field, schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}
