import {
  innerSchemas,
  operationsOf,
  referredIn,
  schemasIn,
  type Document,
  type Parameter,
  type Schema,
} from './structure/schema';
import { PAGE_SIZE } from '../http/answer/paging';

type Words = Readonly<Record<string, string>>;
type Components = Readonly<Record<string, Schema>>;

/**
 * The texts of fields whose names mean one thing wherever they occur. Every other field has its text in its schema, as
 * one of these has where it means something else.
 */
export const FIELDS: Words = {
  amount: 'In units of the currency, with at most two decimals.',
  attributes: 'What tells variants apart, such as color: red.',
  city: 'Town or city.',
  country: 'An ISO 3166-1 alpha-2 code in capitals, such as DE.',
  createdAt: 'When it was created.',
  currency: 'An ISO 4217 code; amounts are in its units, such as 19.99 USD.',
  dateOfBirth: 'A date like 1990-01-31, at most 120 years ago.',
  description: 'A text about it for people.',
  email: 'An email address, in lower case.',
  firstName: 'Letters of any script with single spaces, hyphens, apostrophes or dots between them.',
  imageUrl: 'The URL of the image.',
  lastName: 'Letters of any script with single spaces, hyphens, apostrophes or dots between them.',
  message: 'A sentence for people. It may change.',
  middleName: 'A second first name or its initial.',
  name: 'The name as people read it.',
  orderId: 'Identifies the order; a UUID.',
  orderNumber: 'The number as buyers say it, such as ORD-2026-00000339.',
  phone: 'In E.164 form with a plus, such as +4930901820.',
  position: 'The place among its siblings; lower comes first.',
  postalCode: 'In the form that the country uses.',
  quantity: 'Units of the product.',
  reason: 'The reason that was given.',
  referralCode: 'The code with which others register.',
  sku: 'The number of the product in the warehouse, unique among products and variants.',
  slug: 'The name in URLs.',
  status: 'Its status now.',
  updatedAt: 'When it last changed.',
};

/** The texts of parameters of queries, which filter and sort. */
export const FILTERS: Words = {
  dateFrom: 'Only from this ISO 8601 date or timestamp on; a date means its first moment in UTC.',
  dateTo: 'Only until this ISO 8601 date or timestamp; a date includes that day in UTC.',
  sortBy: 'The field to sort by.',
  sortOrder: 'Ascending or descending.',
  status: 'Only those with this status.',
};

const ENVELOPE: Words = {
  success: 'Always true: the request was done.',
  data: 'The answer itself.',
  meta: 'What there is to know besides.',
};

/** Describes every parameter, and every field of requests and answers, whose schema does not describe itself. */
export function describeFields(document: Document): void {
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) describeInside(schema, name, schemas);
  for (const { parameters = [], responses } of operationsOf(document)) {
    for (const parameter of parameters) describeParameter(parameter);
    for (const { content } of Object.values(responses)) {
      const fields = content?.['application/json']?.schema.properties ?? {};
      for (const [name, text] of Object.entries(ENVELOPE))
        if (fields[name]) fields[name].description ??= text;
    }
  }
}

function describeInside(schema: Schema, holder: string, schemas: Components): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const usual = isDescribed(field, schemas) ? undefined : FIELDS[name];
    const text = field.description ?? (name === 'id' ? idText(holder, field) : usual);
    if (text !== undefined) field.description = text;
    describeInside(field, name, schemas);
  }
  const fields = new Set(Object.values(schema.properties ?? {}));
  for (const inner of innerSchemas(schema)) if (!fields.has(inner)) describeInside(inner, holder, schemas);
}

/** True for a field, which may be null, of values that a component describes: it needs no words of its own. */
export function isDescribed(field: Schema, schemas: Components): boolean {
  const referred = referredIn(field);
  if (referred !== undefined) return schemas[referred]?.description !== undefined;
  const [only, ...more] = (field.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only !== undefined && more.length === 0 && isDescribed(only, schemas);
}

/** The id of `AdminOrder` or of one of `orders` identifies the order. */
function idText(holder: string, field: Schema): string {
  const isUuid = schemasIn(field).some(({ format }) => format === 'uuid');
  return `Identifies the ${nounOf(holder)}${isUuid ? '; a UUID.' : '.'}`;
}

function nounOf(holder: string): string {
  const words = holder.replace(/^Admin|^Any|Detail$|Summary$|Result$|Request$|ToSend$|Link$/g, '');
  const spaced = words.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  return spaced
    .replace(/^(?:create|update|archive|delete|add) /, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=ss)es$|(?<!s)s$/, '');
}

function describeParameter(parameter: Parameter): void {
  if (parameter.$ref !== undefined) return;
  const { name, schema } = parameter;
  if (name === 'page') schema.default = 1;
  if (name === 'pageSize') schema.default = Math.min(PAGE_SIZE, Number(schema['maximum']));
  const usual = parameter.in === 'query' ? (FILTERS[name] ?? FIELDS[name]) : FIELDS[name];
  const text = parameter.description ?? schema.description ?? usual;
  if (text === undefined) return;
  parameter.description = text + usualOf(schema, text);
  delete schema.description;
}

/** The default, unless the text names one. */
const usualOf = ({ default: usual }: Schema, text: string): string =>
  usual === undefined || text.includes('default') ? '' : ` ${JSON.stringify(usual)} by default.`;
