import { z } from 'zod';
import { describeApi } from '../../../api/docs/document';
import { FIELDS, FILTERS, isDescribed } from '../../../api/docs/fields';
import {
  operationsOf,
  plainJson,
  schemasIn,
  schemasOfOperation,
  structureOf,
} from '../../../api/docs/structure/schema';
import type { Schema } from '../../../api/docs/structure/schema';
import { endpoints } from '../../../api/endpoints';
import { endpoint } from '../../../api/http/endpoint';
import { perMinute } from '../../../api/http/limits/limits';

const document = structureOf(plainJson(describeApi(endpoints)));
const { schemas } = document.components;
const operations = operationsOf(document);

/** True if a field describes itself, or refers to a component that does. */
const hasText = (field: Schema): boolean => Boolean(field.description) || isDescribed(field, schemas);

/** Every field with the schema that holds it. */
const fields = [
  ...Object.entries(schemas),
  ...operations.flatMap((operation) =>
    schemasOfOperation({ ...operation, parameters: [] }).map(
      (schema) => [operation.operationId, schema] as const,
    ),
  ),
].flatMap(([holder, schema]) =>
  schemasIn(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([name, field]) => ({ name: `${holder}.${name}`, field })),
  ),
);

/** Inside the narrowing of a refusal, whose fields are described in `Error`. */
const isNarrowing = (name: string): boolean => /\.(error|code)$/.test(name) && !/^[A-Z]/.test(name);

test('every field of requests and answers says what it is', () => {
  expect(fields.length).toBeGreaterThan(900);
  const silent = fields.filter(({ name, field }) => !isNarrowing(name) && !hasText(field));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

/** Figures of analytics that are no money, and the number of a rank. */
const NUMBERS =
  /^(orders|count|active|participations|partnersJoined|kycApproved|joined|earned|submitted|approved|rejected|averageHours)$/;

test('every figure of analytics says when it is counted, and an amount in which currency', () => {
  const figures = fields.filter(
    ({ name, field }) => /^\w+Analytics\./.test(name) && field.type === 'number' && !name.endsWith('.level'),
  );
  expect(figures.length).toBeGreaterThan(60);
  const silent = figures.filter(({ name, field: { description = '' } }) => {
    const isNumber = NUMBERS.test(name.replace(/^.*\./, ''));
    return !/ Counted (when|at|by) /.test(description) || description.includes('`currency`') === isNumber;
  });
  expect(silent.map(({ name, field }) => `${name}: ${field.description ?? ''}`)).toEqual([]);
});

const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
  all.filter(({ $ref }) => $ref === undefined).map((parameter) => ({ operationId, ...parameter })),
);

test('every parameter says what it is', () => {
  const silent = parameters.filter(({ description }) => !description);
  expect(silent.map(({ operationId, name }) => `${operationId}.${name}`)).toEqual([]);
});

test('a text stands in a list only for a name that means one thing: few names, each used in several places', () => {
  expect(Object.keys(FIELDS).length).toBeLessThanOrEqual(27);
  expect(Object.keys(FILTERS).length).toBeLessThanOrEqual(5);
  const usesOf = (name: string, text: string): number =>
    fields.filter(
      ({ name: field, field: { description } }) => field.endsWith(`.${name}`) && description === text,
    ).length;
  expect(Object.entries(FIELDS).filter(([name, text]) => usesOf(name, text) < 4)).toEqual([]);
  const filtersOf = (name: string): number =>
    parameters.filter((parameter) => parameter.name === name).length;
  expect(Object.keys(FILTERS).filter((name) => filtersOf(name) < 4)).toEqual([]);
});

test('a list of values is described once, where it is named, and not wherever it is used', () => {
  const repeated = fields.filter(
    ({ name, field }) => isDescribed(field, schemas) && field.description === FIELDS[name.split('.')[1]!],
  );
  expect(repeated.filter(({ field }) => field.description !== undefined)).toEqual([]);
  expect(schemas['AdminOrder']?.properties?.['status']).toEqual({ $ref: '#/components/schemas/OrderStatus' });
});

test('a new endpoint describes its fields itself', () => {
  const added = endpoint({
    id: 'showKiosk',
    returns: 'The kiosk',
    method: 'get',
    path: '/kiosks/:kioskId',
    summary: 'Show a kiosk',
    tag: 'Catalogue',
    auth: 'public',
    limit: perMinute(100),
    params: z.object({ kioskId: z.uuid().describe('The kiosk to show.') }),
    query: z.object({ status: z.string().optional(), openAt: z.string().optional() }),
    success: 200,
    data: z
      .object({
        createdAt: z.iso.datetime(),
        email: z.string().describe('Where the kiosk takes orders.'),
        opensAt: z.iso.time().describe('When it opens, in its own time zone.'),
        closesAt: z.iso.time(),
      })
      .meta({ id: 'Kiosk' }),
    errors: {},
    handle: () => Promise.reject(new Error('It is described only.')),
  });
  const { components, paths } = structureOf(plainJson(describeApi([added])));
  const { properties = {} } = components.schemas['Kiosk'] ?? {};
  expect(Object.entries(properties).map(([name, { description }]) => [name, description])).toEqual([
    ['createdAt', FIELDS['createdAt']],
    ['email', 'Where the kiosk takes orders.'],
    ['opensAt', 'When it opens, in its own time zone.'],
    // Not on the list: the test of every field of the served document would name it.
    ['closesAt', undefined],
  ]);
  const { parameters: taken = [] } = paths['/api/v1/kiosks/{kioskId}']!['get']!;
  const told = taken.filter(({ $ref }) => $ref === undefined);
  expect(told.map(({ name, description }) => [name, description])).toEqual([
    ['kioskId', 'The kiosk to show.'],
    ['status', FILTERS['status']],
    ['openAt', undefined],
  ]);
});

test('pages say their default and their maximum', () => {
  const sizes = parameters.filter(({ name }) => name === 'pageSize');
  expect(sizes.length).toBeGreaterThan(10);
  for (const { description, schema } of sizes) {
    expect(schema.default).toBe(20);
    expect(description).toBe(
      `The most entries that the page has, at most ${String(schema['maximum'])}. 20 by default.`,
    );
  }
  for (const { description } of parameters.filter(({ name }) => name === 'page'))
    expect(description).toBe('The page to answer, from 1. 1 by default.');
});

test('a description is a sentence with content', () => {
  const texts = [
    ...fields.map(({ field }) => field.description),
    ...parameters.map(({ description }) => description),
  ];
  const poor = texts.filter((text) => text !== undefined && (/^The \w+\.?$/.test(text) || text.length < 6));
  expect([...new Set(poor)]).toEqual([]);
});

/** A schema without a type may be any value. */
const mayBeNull = (schema: Schema): boolean => {
  const { $ref, type, anyOf = [], oneOf = [], enum: values, const: only } = schema;
  if ($ref !== undefined) return mayBeNull(schemas[$ref.replace(/^.*\//, '')] ?? {});
  const choices = [...anyOf, ...oneOf];
  const isTyped = type !== undefined || choices.length > 0 || values !== undefined || only !== undefined;
  return !isTyped || [type].flat().includes('null') || choices.some(mayBeNull);
};

test('a description speaks of null only where a field may be null', () => {
  const spoken = fields.filter(({ field: { description = '' } }) => /\bnull\b/i.test(description));
  expect(spoken.length).toBeGreaterThan(100);
  expect(spoken.filter(({ field }) => !mayBeNull(field)).map(({ name }) => name)).toEqual([]);
});

test('an answer that drops unknown fields can say so', () => {
  const withBody = operations.filter(({ requestBody }) => requestBody);
  const silent = withBody.filter(({ responses }) =>
    Object.entries(responses).some(([status, { content }]) => {
      const media = content?.['application/json'];
      return Number(status) < 300 && media && !media.schema.properties?.['meta'];
    }),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  expect(schemas['PageMeta']?.required).toEqual(['pagination']);
});
