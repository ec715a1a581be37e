import type { Endpoint } from '../../../api/http/endpoint';
import type { Raw } from '../send';
import { nastyBodies, nastyHeaders, nastyJson, nastyQueries, nastyUrl } from './nasty-values';
import type { OrdinaryRequest } from './ordinary-request';

const PLACE = 'here stands something nasty';

/** Requests to one endpoint, each ordinary except for one value. */
export function nastyRequests(endpoint: Endpoint, ordinary: OrdinaryRequest): Raw[] {
  const usual = rawOf(endpoint, ordinary);
  return [
    usual,
    ...Object.keys(ordinary.path).flatMap((name) =>
      nastyUrl.map((value) => rawOf(endpoint, { ...ordinary, path: { ...ordinary.path, [name]: value } })),
    ),
    ...ordinary.queryNames.flatMap((name) => withQueries(endpoint, ordinary, name)),
    ...(ordinary.body === null ? [] : [...withFields(endpoint, ordinary.body, usual), ...withBodies(usual)]),
    ...nastyHeaders.map((headers) => ({ ...usual, headers: { ...usual.headers, ...headers } })),
  ];
}

function withQueries(endpoint: Endpoint, ordinary: OrdinaryRequest, name: string): Raw[] {
  const { [name]: _, ...others } = ordinary.query;
  const { target, ...rest } = rawOf(endpoint, { ...ordinary, query: others });
  const queries = [...nastyUrl.map((value) => `${name}=${value}`), ...nastyQueries(name)];
  return queries.map((query) => ({
    ...rest,
    target: `${target}${target.includes('?') ? '&' : '?'}${query}`,
  }));
}

/** Each field in turn, and the first item of a list. */
function withFields(endpoint: Endpoint, body: Readonly<Record<string, unknown>>, usual: Raw): Raw[] {
  if (endpoint.raw) return [];
  if (endpoint.form) return withFormFields(body, usual);
  return Object.entries(body).flatMap(([name, value]) => {
    const places: unknown[] = Array.isArray(value) ? [PLACE, [PLACE]] : [PLACE];
    return places.flatMap((place) => {
      const text = JSON.stringify({ ...body, [name]: place });
      return nastyJson.map((nasty) => ({ ...usual, body: text.replace(JSON.stringify(PLACE), () => nasty) }));
    });
  });
}

/** Each field of a form in turn, also sent twice. */
const withFormFields = (body: Readonly<Record<string, unknown>>, usual: Raw): Raw[] =>
  Object.keys(body).flatMap((name) => {
    const others = new URLSearchParams(textsIn({ ...body, [name]: undefined })).toString();
    const values = [...nastyUrl.map((value) => `${name}=${value}`), ...nastyQueries(name)];
    return values.map((value) => ({ ...usual, body: `${others}&${value}` }));
  });

const textsIn = (body: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));

const withBodies = (usual: Raw): Raw[] =>
  nastyBodies.map(({ body, headers }) => ({ ...usual, body, headers: { ...usual.headers, ...headers } }));

const asJson = (body: OrdinaryRequest['body']) => (body === null ? null : JSON.stringify(body));
const asForm = (body: OrdinaryRequest['body']) => new URLSearchParams(textsIn(body ?? {})).toString();

function rawOf({ method, path, form }: Endpoint, ordinary: OrdinaryRequest): Raw {
  const query = Object.entries(ordinary.query).map(([name, value]) => `${name}=${value}`);
  const target = `/api/v1${path.replace(/:(\w+)/g, (_, name: string) => ordinary.path[name] ?? '')}`;
  return {
    method: method.toUpperCase(),
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    ...(form
      ? { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: asForm(ordinary.body) }
      : { headers: { 'content-type': 'application/json' }, body: asJson(ordinary.body) }),
  };
}
