import { endpoints } from '../../../../api/endpoints';
import { pathExample } from '../../../../api/docs/examples/requests';
import type { Endpoint } from '../../../../api/http/endpoint';
import { identifiedBy } from '../../../../api/http/request/ids/identified';
import { z } from 'zod';
import { ordinaryRequest } from '../../../fuzz/nasty/ordinary-request';
import type { Ground, Person } from '../../../support/resources/ground';
import { made } from '../../../support/resources';
import { another, type Place } from '../../../support/resources/make';
import { itemOf, shapeOf } from '../../../support/resources/schemas';
import type { Arranged } from './arranged';
import { arrangements } from './arrangements';
import { formFor } from './files';
import { prepared } from './preconditions';
import { VALUES } from './values';

type Schema = z.core.$ZodType;
type Fields = Record<string, unknown>;

/** The request with which this endpoint succeeds for this user: the document's example with resources that exist. */
export async function arrangedFor(ground: Ground, endpoint: Endpoint, as: Person): Promise<Arranged> {
  const isForOthers = endpoint.auth === 'admin' || endpoint.auth === 'super-admin';
  const owner = isForOthers ? another(ground) : () => Promise.resolve(as);
  const place: Place = { caller: as, owner, within: {} };
  const fit: Fields = {};
  const params = await paramsOf(ground, endpoint, place, fit);
  await oneListed(ground, endpoint, place);
  await prepared(ground, endpoint, place);
  const body = await bodyOf(ground, endpoint, place, fit);
  const own = await arrangements[endpoint.id]?.(ground, as, params);
  return {
    ...(await formFor(endpoint)),
    ...own,
    params: { ...params, ...own?.params },
    query: requiredOf(endpoint),
    ...(body && { body: { ...body, ...own?.body } }),
  };
}

/** Makes what the schema says that a value identifies; `fit` gets the fields that fit it. */
async function identify(ground: Ground, schema: Schema, place: Place, fit: Fields): Promise<string | null> {
  const identified = identifiedBy(schema);
  if (!identified) return null;
  const { id, fields } = await made(ground, identified, place);
  place.within[identified.resource] = id;
  Object.assign(fit, fields);
  return id;
}

async function paramsOf(
  ground: Ground,
  endpoint: Endpoint,
  place: Place,
  fit: Fields,
): Promise<Record<string, string>> {
  const params: Record<string, string> = {};
  const shape = shapeOf(endpoint.params);
  for (const [, name = ''] of endpoint.path.matchAll(/:(\w+)/g))
    params[name] =
      (shape[name] && (await identify(ground, shape[name], place, fit))) ?? pathExample(endpoint, name);
  return params;
}

/** A list shows at least one of what another endpoint names below its path. */
async function oneListed(ground: Ground, { method, path }: Endpoint, place: Place): Promise<void> {
  if (method !== 'get') return;
  for (const other of endpoints) {
    if (!other.path.startsWith(`${path}/:`)) continue;
    const [, name = ''] = /^:(\w+)/.exec(other.path.slice(path.length + 1)) ?? [];
    const named = shapeOf(other.params)[name];
    if (named) await identify(ground, named, place, {});
    return;
  }
}

/** The required parameters of the query, as their schemas exemplify them. */
const requiredOf = ({ query }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shapeOf(query))
      .filter(([, field]) => !z.safeParse(field, undefined).success)
      .map(([name, field]) => [name, String(z.globalRegistry.get(field)?.['example'])]),
  );

async function bodyOf(ground: Ground, endpoint: Endpoint, place: Place, fit: Fields): Promise<Fields | null> {
  const { body: example } = ordinaryRequest(endpoint, {});
  if (example === null) return null;
  const shape = shapeOf(endpoint.body);
  const body: Fields = {};
  for (const [name, value] of Object.entries(example)) {
    const field = shape[name];
    if (value === undefined || !field) continue;
    const usual = identifiedBy(field) ? value : await usualOf(ground, place.caller, { name, field, value });
    body[name] = await withExisting(ground, field, usual, place, fit);
  }
  const fitting = Object.entries(fit).filter(([name]) => name in shape);
  return { ...body, ...Object.fromEntries(fitting) };
}

/** The value that is usual for fields of this name where the schema allows it, else the example's. */
async function usualOf(
  ground: Ground,
  as: Person,
  { name, field, value }: { name: string; field: Schema; value: unknown },
): Promise<unknown> {
  const usual = VALUES[name];
  if (!usual) return value;
  const named = await usual(ground, as);
  return z.safeParse(field, named).success ? named : value;
}

/** The value with ids of what exists wherever it names something. */
async function withExisting(
  ground: Ground,
  schema: Schema,
  value: unknown,
  place: Place,
  fit: Fields,
): Promise<unknown> {
  if (typeof value === 'string') return (await identify(ground, schema, place, fit)) ?? value;
  const item = itemOf(schema);
  if (item && Array.isArray(value))
    return Promise.all(value.map((one) => withExisting(ground, item, one, place, fit)));
  if (typeof value !== 'object' || value === null) return value;
  const fields: Fields = { ...value };
  for (const [name, field] of Object.entries(shapeOf(schema)))
    if (name in fields) fields[name] = await withExisting(ground, field, fields[name], place, fit);
  return fields;
}
