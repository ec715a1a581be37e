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
  if (schema instanceof z.ZodPipe) return withoutNulls(schema.in, value);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? withoutNulls(schema.unwrap(), value) : value;
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
