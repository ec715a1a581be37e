import { z } from 'zod';
import type { Endpoint } from '../../http/endpoint';
import { UNKNOWN_ID } from '../../http/request/ids/demo-ids';

/** The example of a parameter of the endpoint's path: that of its schema, or an id that nothing has. */
export function pathExample({ params }: Pick<Endpoint, 'params'>, name: string): string {
  const schema =
    params instanceof z.ZodObject ? (params.shape as Record<string, z.ZodType>)[name] : undefined;
  return z.string().catch(UNKNOWN_ID).parse(schema?.meta()?.['example']);
}

/** The example of the endpoint's body: `sample`, with the fields that it states. */
export function bodyExample({ example }: Pick<Endpoint, 'example'>, sample: unknown): unknown {
  if (example === undefined || typeof sample !== 'object' || sample === null) return sample;
  return Object.fromEntries(
    Object.entries({ ...sample, ...example }).filter(([, value]) => value !== undefined),
  );
}
