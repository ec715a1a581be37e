import { describeApi } from '../../../api/docs/document';
import { documentedPath, routeOf } from '../../../api/docs/path';
import {
  allSchemas,
  capitalised,
  operationsOf,
  plainJson,
  schemasOfOperation,
  structureOf,
  type Schema,
} from '../../../api/docs/structure/schema';
import { TAGS } from '../../../api/docs/tags';
import { endpoints } from '../../../api/endpoints';

const described = plainJson(describeApi(endpoints));
const document = structureOf(described);
const { schemas, responses } = document.components;
const operations = operationsOf(document);

interface Envelope {
  properties?: { data?: { $ref?: string } };
}

const nameOf = (schema: { $ref?: string } | undefined): string => schema?.$ref?.replace(/^.*\//, '') ?? '-';

/** One line an operation: method and path, operation id, the schemas of its request and of its answer. */
const names = endpoints.map((endpoint) => {
  const { operationId, requestBody, responses } = document.paths[documentedPath(endpoint)]![endpoint.method]!;
  const [request] = Object.values(requestBody?.content ?? {});
  const answer = responses[endpoint.success[0]]?.content?.['application/json']?.schema as
    Envelope | undefined;
  return [routeOf(endpoint), operationId, nameOf(request?.schema), nameOf(answer?.properties?.data)].join(
    '  ',
  );
});

const isOfCodes = (key: string): boolean =>
  key.split(' ').every((value) => schemas['ErrorCode']?.enum?.includes(value));

test('no two endpoints have the same id', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
});

test('every body and every answer is a component, called after its operation or a noun of its own', () => {
  const inPlace = operations.flatMap((operation) =>
    schemasOfOperation({ ...operation, parameters: [], responses: {} }).filter(
      ({ $ref }) => $ref === undefined,
    ),
  );
  expect(inPlace).toEqual([]);
  const unnamed = endpoints
    .filter(({ produces }) => !produces)
    .map((endpoint) => names[endpoints.indexOf(endpoint)]);
  expect(unnamed.filter((line) => line!.endsWith('  -'))).toEqual([]);
  const ids = operations.map(({ operationId }) => operationId.toLowerCase());
  const foreign = Object.keys(schemas).filter((name) => {
    const [, operation] = /^(\w+)(?:Request|Result)$/.exec(name) ?? [];
    return operation !== undefined && !ids.includes(operation.toLowerCase());
  });
  expect(foreign).toEqual(['ShippingZoneRequest', 'StrategyResult']);
});

test('nothing of the machinery shows in the names', () => {
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
  // A number tells apart refusals of the same codes with other examples.
  expect(Object.keys(responses ?? {}).filter((name) => !/^[A-Z][A-Za-z]+\d{0,2}$/.test(name))).toEqual([]);
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('values that are listed in several places are an enum with a name', () => {
  const keyOf = (values: readonly unknown[]): string => [...values].sort().join(' ');
  const named = Object.values(schemas).flatMap(({ enum: values }) => (values ? [keyOf(values)] : []));
  const components = new Set(Object.values(schemas));
  const inPlace = allSchemas(document)
    .filter((schema) => !components.has(schema))
    .flatMap(({ enum: values }) => (values ? [keyOf(values)] : []));
  expect(inPlace.filter((key) => named.includes(key))).toEqual([]);
  // A filter that also takes ALL, and the codes that one operation refuses with, are no enums of their own.
  const others = inPlace.filter((key) => !/(^| )ALL( |$)/.test(key) && !isOfCodes(key));
  expect(others.filter((key, index) => others.indexOf(key) !== index)).toEqual([]);
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      'OrderStatus',
      'PaymentStatus',
      'PaymentMethod',
      'ProductStatus',
      'UserStatus',
      'Role',
    ]),
  );
});

test('every group has its place and its description', () => {
  const used = [...new Set(endpoints.map(({ tag }) => tag))];
  expect(used.filter((tag) => !TAGS.some(({ name }) => name === tag))).toEqual([]);
  expect(described.tags!.map(({ name }) => name)).toEqual(TAGS.map(({ name }) => name));
  const isAdministration = TAGS.map(({ name }) => name.startsWith('Administration'));
  expect(isAdministration).toEqual([...isAdministration].sort());
  expect(TAGS.filter(({ description }) => !description)).toEqual([]);
});

test('a refusal that several operations share is written once', () => {
  const inPlace = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) =>
      response['x-error-codes'] ? [JSON.stringify(response)] : [],
    ),
  );
  expect(inPlace.filter((response, index) => inPlace.indexOf(response) !== index)).toEqual([]);
  expect(Object.keys(responses ?? {})).toEqual(
    expect.arrayContaining([
      'Unauthorized',
      'UriTooLong',
      'RateLimitExceeded',
      'InternalError',
      'ServiceUnavailable',
    ]),
  );
});

test('whole numbers have bounds that mean something, or none', () => {
  const bounds = allSchemas(document).flatMap(({ minimum, maximum, exclusiveMinimum }) =>
    [minimum, maximum, exclusiveMinimum].filter((bound) => bound !== undefined),
  );
  expect(bounds.filter((bound) => Math.abs(Number(bound)) > 1_000_000_000)).toEqual([]);
});

test('no component has a name that a generator gives to something else', () => {
  const ids = operations.map(({ operationId }) => operationId.toLowerCase());
  // Of oapi-codegen: what a call returns, the parameters and the body of an operation.
  const ofCalls = Object.keys(schemas).filter((name) => {
    const [, id] = /^(\w+?)(?:Response|Params|JSONBody|JSONRequestBody)$/.exec(name) ?? [];
    return id !== undefined && ids.includes(id.toLowerCase());
  });
  expect(ofCalls).toEqual([]);
  // Of openapi-python-client and others: an object in place is called after the component and the field that hold it.
  const inPlace = Object.entries(schemas).flatMap(([holder, schema]) => namesInPlace(schema, holder));
  expect(inPlace.length).toBeGreaterThan(20);
  expect(inPlace.filter((name) => schemas[name])).toEqual([]);
});

/** The names of the objects, and of the lists of values, inside a schema that are not components. */
const namesInPlace = (schema: Schema, holder: string): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
    [inner, ...(inner.items ? [inner.items] : []), ...(inner.anyOf ?? [])].flatMap((value) => {
      const name = `${holder}${capitalised(field)}`;
      return value.properties || value.enum ? [name, ...namesInPlace(value, name)] : [];
    }),
  );
