import { describeApi } from '../../../api/docs/document';
import { documentedPath } from '../../../api/docs/path';
import { plainJson, structureOf, type Schema } from '../../../api/docs/structure/schema';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { withoutNulls } from '../../../api/http/validation/without-nulls';

const document = structureOf(plainJson(describeApi(endpoints)));

const resolved = (schema: Schema): Schema =>
  document.components.schemas[schema.$ref?.replace(/^.*\//, '') ?? ''] ?? schema;

/** Every field of every JSON body, as the document has it. */
const fields = endpoints.flatMap((endpoint) => {
  const { requestBody } = document.paths[documentedPath(endpoint)]![endpoint.method]!;
  const media = requestBody?.content['application/json'];
  const { properties = {}, required = [] } = media && !endpoint.raw ? resolved(media.schema) : {};
  return Object.entries(properties).map(([name, field]) => ({
    endpoint,
    name,
    isOptional: !required.includes(name),
    isNullDocumented: [field, ...(field.anyOf ?? [])].some(({ type }) => [type].flat().includes('null')),
  }));
});

function isNullTaken({ method, body }: Endpoint, name: string): boolean {
  const sent = { [name]: null };
  const { error } = body.safeParse(method === 'patch' ? sent : withoutNulls(body, sent));
  return error?.issues.every(({ path }) => path[0] !== name) ?? true;
}

const placeOf = ({ endpoint: { method, path }, name }: (typeof fields)[number]): string =>
  `${method} ${path} ${name}`;

test('null is documented for every field that may be null, and for no other', () => {
  const wrong = fields.filter(
    ({ endpoint, name, isNullDocumented }) => isNullDocumented !== isNullTaken(endpoint, name),
  );
  expect(wrong.map(placeOf)).toEqual([]);
});

test('that is every optional field of a creation or an action, and what a change clears', () => {
  const ofChanges = fields.filter(({ endpoint }) => endpoint.method === 'patch');
  const others = fields.filter(({ endpoint, isOptional }) => endpoint.method !== 'patch' && isOptional);
  expect(others.length).toBeGreaterThan(80);
  expect(others.filter(({ isNullDocumented }) => !isNullDocumented).map(placeOf)).toEqual([]);
  expect(ofChanges.filter(({ isNullDocumented }) => isNullDocumented).length).toBeGreaterThan(5);
  expect(ofChanges.filter(({ isNullDocumented }) => !isNullDocumented).length).toBeGreaterThan(20);
});
