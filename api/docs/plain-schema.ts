import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * Says what readers and generators understand: a UUID is a `format`, without the pattern that checks it (an e-mail
 * address keeps its pattern, for we take fewer than the format allows); and a number
 * or a yes that travels in a query, and so as text, is the number or the yes that is meant.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (jsonSchema.format !== undefined && jsonSchema.format !== 'email') delete jsonSchema.pattern;
  const { def } = zodSchema._zod;
  if (io !== 'input' || def.type !== 'pipe' || jsonSchema.type !== 'string') return;
  const meant = def.out._zod.def.type;
  if (meant === 'boolean') jsonSchema.type = 'boolean';
  if (meant !== 'number') return;
  const { minimum = 0, maximum } = z.toJSONSchema(def.out);
  jsonSchema.type = jsonSchema.pattern?.includes('\\.') === false ? 'integer' : 'number';
  delete jsonSchema.pattern;
  Object.assign(jsonSchema, { minimum, ...(maximum !== undefined && { maximum }) });
};
