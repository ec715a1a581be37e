import { uuid } from '../fields';

interface Words {
  /** Replaces "The <resource>: `id` in the list." */
  description?: string;
  /** An id of the demo data, with which the request can be sent. */
  example?: string;
}

/** The id of a resource, such as 'bank file', in a path. */
export const idOf = (resource: string, { description, example }: Words = {}) =>
  uuid().meta({
    description: description ?? `The ${resource}: \`id\` in the list.`,
    ...(example !== undefined && { example }),
  });
