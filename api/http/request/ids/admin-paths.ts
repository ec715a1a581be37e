import { z } from 'zod';
import { identifiedBy, type Resource } from './identified';

interface Read {
  readonly method: string;
  readonly path: string;
  readonly params?: z.ZodType | undefined;
}

const ONE_OF_THEM = /^(\/admin\/[^:]+)\/:(\w+)$/;

const known = new WeakMap<readonly Read[], ReadonlyMap<string, string>>();

/** The path under which administrators read a resource by its id, without that id, by the name of the resource. Computed once for a list. */
export function adminPathsOf(endpoints: readonly Read[]): ReadonlyMap<string, string> {
  const paths = known.get(endpoints) ?? pathsIn(endpoints);
  known.set(endpoints, paths);
  return paths;
}

function pathsIn(endpoints: readonly Read[]): ReadonlyMap<string, string> {
  const paths = new Map<Resource, string>();
  for (const { method, path, params } of endpoints) {
    const [, list, name] = ONE_OF_THEM.exec(path) ?? [];
    if (method !== 'get' || list === undefined || name === undefined) continue;
    const field = params instanceof z.ZodObject ? (params.shape[name] as z.ZodType | undefined) : undefined;
    const identified = field && identifiedBy(field);
    if (identified) paths.set(identified.resource, list);
  }
  return paths;
}
