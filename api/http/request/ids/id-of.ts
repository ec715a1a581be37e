import type { z } from 'zod';
import { uuid } from '../fields';

interface Words {
  /** Replaces "The <resource>: `id` in the list." */
  description?: string;
  /** An id of the demo data, with which the request can be sent. */
  example?: string;
}

const resources = new WeakMap<z.core.$ZodType, string>();

/** The id of a resource, such as 'bank file', in a path. */
export function idOf(resource: string, { description, example }: Words = {}): z.ZodType<string, string> {
  const schema = uuid().meta({
    description: description ?? `The ${resource}: \`id\` in the list.`,
    ...(example !== undefined && { example }),
  });
  resources.set(schema, resource);
  return schema;
}

/** The resource that a schema of `idOf` names; undefined for every other schema. */
export const resourceOf = (schema: z.core.$ZodType): string | undefined => resources.get(schema);
