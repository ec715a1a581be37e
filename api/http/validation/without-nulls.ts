import { z } from 'zod';

/**
 * A value without the fields that are null where their schema knows them only as absent: clients of many languages write
 * null for what they leave out, and null is what the API itself shows of it. Where null has a meaning it stays.
 */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item: unknown) => withoutNulls(schema.element, item));
  if (schema instanceof z.ZodObject) return fieldsWithoutNulls(schema, value);
  if (schema instanceof z.ZodUnion) {
    const cleaned = schema.options.map((option) => ({ option, value: withoutNulls(option, value) }));
    return (cleaned.find(({ option, value }) => z.safeParse(option, value).success) ?? { value }).value;
  }
  const inner = innerOf(schema);
  return inner ? withoutNulls(inner, value) : value;
}

/**
 * The same for a change, where null clears a field: only within what it replaces as a whole, lists and objects with a
 * required field.
 */
export function replacementsWithoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!(schema instanceof z.ZodObject)) {
    const inner = innerOf(schema);
    return inner ? replacementsWithoutNulls(inner, value) : withoutNulls(schema, value);
  }
  const { shape } = schema.def as z.core.$ZodObjectDef;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!known) return [name, field];
      return [name, isChanged(known) ? replacementsWithoutNulls(known, field) : withoutNulls(known, field)];
    }),
  );
}

/** True for an object whose fields are changed one by one, since none of them is required. */
function isChanged(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodObject) return z.safeParse(schema, {}).success;
  const inner = innerOf(schema);
  return inner !== null && isChanged(inner);
}

/** The schema of the value itself, without what may stand for it; null of one that has none. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodPipe) return schema.in;
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? schema.unwrap() : null;
}

function fieldsWithoutNulls(schema: z.ZodObject, value: object): unknown {
  const { shape } = schema.def as z.core.$ZodObjectDef;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!known) return [[name, field]];
      return field === null && meansAbsent(known) ? [] : [[name, withoutNulls(known, field)]];
    }),
  );
}

const meansAbsent = (field: z.core.$ZodType): boolean =>
  z.safeParse(field, undefined).success && !z.safeParse(field, null).success;
