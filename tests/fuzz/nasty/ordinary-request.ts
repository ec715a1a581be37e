import { describeApi } from '../../../api/docs/document';
import { documentedPath } from '../../../api/docs/path';
import { endpoints } from '../../../api/endpoints';
import { takesBody } from '../../../api/http/body/body';
import type { Endpoint } from '../../../api/http/endpoint';
import { dictionaryOf } from '../bindings';
import type { Dictionaries } from '../world/dictionaries';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

interface Operation {
  parameters?: { name?: string; in?: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
}

/** A request as a caller sends it, made from the document and the existing values. */
export interface OrdinaryRequest {
  /** The path's parameters and the required ones of the query. */
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Every parameter that the query may have. */
  queryNames: readonly string[];
  /** Null if the endpoint takes no body. */
  body: Readonly<Record<string, unknown>> | null;
}

// As callers get it.
const document = JSON.parse(JSON.stringify(describeApi(endpoints))) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** An endpoint's ordinary request from the document, with existing values where there are some. */
export function ordinaryRequest(endpoint: Endpoint, dictionaries: Dictionaries): OrdinaryRequest {
  const { parameters = [], requestBody } = document.paths[documentedPath(endpoint)]![endpoint.method]!;
  const known = (location: 'path' | 'query' | 'body', name: string) =>
    dictionaries[dictionaryOf(endpoint, location, name, dictionaries) ?? ''];
  const existing = (location: 'path' | 'query', name: string) => known(location, name)?.[0];
  const named = (location: 'path' | 'query', only = parameters) =>
    only.flatMap(({ in: where, name }) => (where === location && name !== undefined ? [name] : []));
  const values = (location: 'path' | 'query', names: string[]) =>
    Object.fromEntries(names.map((name) => [name, String(existing(location, name) ?? 'x')]));

  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = requestBody?.content ?? {};
  const media = json ?? form;
  const fields = Object.keys((media && resolved(media.schema).properties) ?? {});
  // A field that the example leaves out may contradict another.
  const body = fields.map((name): [string, unknown] => {
    const usual = media?.example?.[name];
    const values = media?.example && usual === undefined ? undefined : known('body', name);
    return [name, values ? values[0] : usual];
  });
  const required = parameters.filter(({ required }) => required);
  return {
    path: values('path', named('path')),
    query: values('query', named('query', required)),
    queryNames: named('query'),
    body: takesBody(endpoint) ? Object.fromEntries(body) : null,
  };
}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.replace(/^.*\//, '')]!;
