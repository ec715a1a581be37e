import { z } from 'zod';
import { isReferralParameter } from './referral';

/** Most names that an answer lists, and the most characters of one. */
const MOST_NAMES = 20;
const MOST_CHARACTERS = 100;

/** The parts of a request whose unknown fields are dropped. */
interface Parts {
  query: unknown;
  body: unknown;
}

/**
 * The names of query parameters and body fields of a valid request that its contract does not know, such as
 * `items.0.qty`, so that `meta.ignored` shows a client its misspelled names. Takes the schemas and the values as sent.
 */
export function ignoredFields(schemas: { query: z.ZodType; body: z.ZodType }, sent: Parts): string[] {
  const names = new Set<string>();
  for (const part of ['query', 'body'] as const)
    for (const path of unknownIn(schemas[part], sent[part])) {
      if (part === 'query' && isReferralParameter(path)) continue;
      names.add(cut(path));
      if (names.size === MOST_NAMES) return [...names];
    }
  return [...names];
}

/** The first characters of a name; one that needs two code units is not parted. */
const cut = (name: string): string =>
  Array.from(name.slice(0, 2 * MOST_CHARACTERS))
    .slice(0, MOST_CHARACTERS)
    .join('');

/** The dotted names, one after the other, since a caller may send thousands. */
function* unknownIn(schema: z.core.$ZodType, value: unknown, path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (schema instanceof z.ZodObject) {
    const { shape, catchall } = schema.def as z.core.$ZodObjectDef;
    for (const [name, field] of Object.entries(value)) {
      const known = Object.hasOwn(shape, name) ? shape[name] : catchall;
      if (known) yield* unknownIn(known, field, `${path}${name}.`);
      else yield `${path}${name}`;
    }
  } else if (schema instanceof z.ZodArray) {
    for (const [n, item] of (value as unknown[]).entries())
      yield* unknownIn(schema.element, item, `${path}${n}.`);
  } else if (schema instanceof z.ZodUnion) {
    const match = schema.options.find((option) => z.safeParse(option, value).success);
    if (match) yield* unknownIn(match, value, path);
  } else if (schema instanceof z.ZodPipe) yield* unknownIn(schema.in, value, path);
  else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    yield* unknownIn(schema.unwrap(), value, path);
}
