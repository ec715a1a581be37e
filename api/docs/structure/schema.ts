import type { oas31 } from 'zod-openapi';

/** A schema as the finished document has it: plain JSON, which may be a reference with further keywords. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  [keyword: string]: unknown;
}

interface Media {
  schema: Schema;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, Schema>;
  content?: Record<string, Media>;
  'x-error-codes'?: string[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}

/** The parts of a finished document that its structure is made of. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> };
}

/** The document as plain JSON, in which no two places share an object. */
export const plainJson = (document: oas31.OpenAPIObject) =>
  JSON.parse(JSON.stringify(document)) as oas31.OpenAPIObject;

/** A document, seen as its structure. */
export const structureOf = (document: oas31.OpenAPIObject) => document as unknown as Document;

export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations));

const REFERENCE = '#/components/schemas/';

export const referenceTo = (name: string): Schema => ({ $ref: `${REFERENCE}${name}` });

/** The name of the component that a schema refers to; undefined for a schema in place. */
export const referredIn = ({ $ref }: Schema): string | undefined =>
  $ref?.startsWith(REFERENCE) === true ? $ref.slice(REFERENCE.length) : undefined;

/** The schemas directly inside a schema. */
export function innerSchemas(schema: Schema): Schema[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  return [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...anyOf,
    ...oneOf,
    ...allOf,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
}

/** The schema and all schemas inside it. */
export const schemasIn = (schema: Schema): Schema[] => [schema, ...innerSchemas(schema).flatMap(schemasIn)];

/** The schemas of an operation that are not inside another: of its parameters, its body and its answers. */
export const schemasOfOperation = ({ parameters = [], requestBody, responses }: Operation): Schema[] => [
  ...parameters.flatMap((parameter) => (parameter.$ref === undefined ? [parameter.schema] : [])),
  ...[requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema),
  ),
];

/** Every schema of the document. */
export const allSchemas = (document: Document): Schema[] =>
  [
    ...Object.values(document.components.schemas),
    ...operationsOf(document).flatMap(schemasOfOperation),
  ].flatMap(schemasIn);

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
