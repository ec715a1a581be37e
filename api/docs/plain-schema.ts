import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

type JsonSchema = Parameters<ZodOpenApiOverride>[0]['jsonSchema'];

/**
 * Simplifies schemas for readers and generators: a format replaces the pattern that checks it (except for e-mail
 * addresses, where the pattern is stricter), and a number or boolean in a query is documented as such, not as text.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (jsonSchema.format !== undefined && jsonSchema.format !== 'email') delete jsonSchema.pattern;
  dropBounds(jsonSchema);
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

/** Leaves out the bounds of integers that only say what a double can hold, and names of fields that may be any text. */
function dropBounds(jsonSchema: JsonSchema): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.type === 'integer' && jsonSchema.exclusiveMinimum === 0) {
    delete jsonSchema.exclusiveMinimum;
    jsonSchema.minimum = 1;
  }
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
}
