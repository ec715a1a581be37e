import { z } from 'zod';

type Schema = z.core.$ZodType;

/** The fields of an object, which may be optional; none of another schema. */
export function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  const inner = innerOf(schema);
  return inner ? shapeOf(inner) : {};
}

/** The items of a list, which may be optional; undefined of another schema. */
export function itemOf(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  const inner = innerOf(schema);
  return inner && itemOf(inner);
}

/** The schema that this one makes optional or gives a default. */
function innerOf(schema: Schema): Schema | undefined {
  const { def } = schema._zod;
  return 'innerType' in def ? (def.innerType as Schema) : undefined;
}

/** The schema and all that it holds, by dotted path. */
export function* fieldsIn(schema: Schema, path: string): Generator<[path: string, field: Schema]> {
  yield [path, schema];
  const item = itemOf(schema);
  if (item) yield* fieldsIn(item, path);
  for (const [name, field] of Object.entries(shapeOf(schema))) yield* fieldsIn(field, `${path}.${name}`);
}
