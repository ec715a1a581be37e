import { z } from 'zod';

/** The fields of an answer that its schema lacks, by dotted path. */
export function undocumented(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (schema instanceof z.ZodObject) return ofObject(schema, value, path);
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).flatMap((item, i) => undocumented(schema.element, item, `${path}.${i}`));
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([name, item]) =>
      undocumented(schema.valueType, item, `${path}.${name}`),
    );
  if (schema instanceof z.ZodUnion)
    return (
      schema.options
        .filter((option) => z.safeParse(option, value).success)
        .map((option) => undocumented(option, value, path))
        .sort((one, other) => one.length - other.length)[0] ?? []
    );
  const { def } = schema._zod;
  return 'innerType' in def ? undocumented(def.innerType as z.core.$ZodType, value, path) : [];
}

function ofObject(schema: z.ZodObject, value: unknown, path: string): string[] {
  return Object.entries(value as object).flatMap(([name, inner]) => {
    const field = schema.shape[name];
    const here = path === '' ? name : `${path}.${name}`;
    return field ? undocumented(field, inner, here) : [here];
  });
}
