import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * Simplifies schemas for readers and generators: a format replaces the pattern that checks it (except for e-mail
 * addresses, where the pattern is stricter), and a number or boolean in a query is documented as such, not as text.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (jsonSchema.format !== undefined && jsonSchema.format !== 'email') delete jsonSchema.pattern;
  const { def } = zodSchema._zod;
  if (io !== 'input' || def.type !== 'pipe' || jsonSchema.type !== 'string') return;
  const parsedType = def.out._zod.def.type;
  if (parsedType === 'boolean') jsonSchema.type = 'boolean';
  if (parsedType !== 'number') return;
  const { minimum = 0, maximum } = z.toJSONSchema(def.out);
  jsonSchema.type = jsonSchema.pattern?.includes('\\.') === false ? 'integer' : 'number';
  delete jsonSchema.pattern;
  Object.assign(jsonSchema, { minimum, ...(maximum !== undefined && { maximum }) });
};
