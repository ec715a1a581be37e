import { describeApi } from '../../../../api/docs/document';
import { documentedPath } from '../../../../api/docs/path';
import { endpoints } from '../../../../api/endpoints';
import type { Endpoint } from '../../../../api/http/endpoint';
import { seed } from '../../../../db/schema/seed/plan';
import { seedId } from '../../../../db/schema/seed/rows';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';

interface Operation {
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    example?: string;
    schema?: { example?: string };
  }[];
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> };
}

/** The document as callers get it. */
export const document = JSON.parse(JSON.stringify(describeApi(endpoints))) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Adds the data that `npm start` adds. */
export const seedDemo = ({ db }: Pick<World, 'db'>) =>
  seed(db, { demo: true, production: false, administrator: null, at: new Date() });

/** Signs in an account of the demo. */
export const signInDemo = (world: World, role: 'buyer' | 'investor' | 'admin'): Promise<string> =>
  signIn(world, { id: seedId(`user:${role}@example.com`) });

/** A request exactly as the documentation page fills it in. */
export interface Prefilled {
  params: Record<string, string>;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

export function prefilled(endpoint: Endpoint): Prefilled {
  const { parameters = [], requestBody } = document.paths[documentedPath(endpoint)]![endpoint.method]!;
  const filledIn = (location: 'path' | 'query') =>
    Object.fromEntries(
      parameters.flatMap(({ in: where, name, example, schema }): [string, string][] => {
        const value = example ?? schema?.example;
        return where === location && value !== undefined ? [[name, value]] : [];
      }),
    );
  const [media] = Object.values(requestBody?.content ?? {});
  const body = media?.example;
  return { params: filledIn('path'), query: filledIn('query'), ...(body && { body }) };
}
