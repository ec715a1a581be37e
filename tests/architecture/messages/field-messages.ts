import ts from 'typescript';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints';
import { fieldMessage, messagesOf, requestParsing } from '../../../api/http/validation/field-messages';
import { sources } from './refusals';
import { textsIn } from './texts-in-code';

type Schema = z.core.$ZodType;
type Issue = Parameters<typeof fieldMessage>[0];

/** Values that most fields refuse, each for another reason. */
const UNFIT: readonly unknown[] = [
  undefined,
  null,
  '',
  '~',
  'a',
  'A'.repeat(3),
  -1,
  0,
  0.5,
  1e300,
  true,
  [],
  {},
];

/** Everything that can be said of a field of a request, sorted: by its schema, or by a rule in the code. */
export const fieldMessages = (): string[] =>
  [...new Set([...fromSchemas(), ...fromCode((path) => !PRODUCT_FILES.test(path))])].sort();

function fromSchemas(): Set<string> {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const walk = (schema: Schema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const message of messagesOfSchema(schema)) found.add(message);
    for (const inner of innerSchemas(schema)) walk(inner);
  };
  for (const { params, query, body } of endpoints) [params, query, body].forEach((part) => walk(part));
  return found;
}

/** The messages of a schema for unfit values, and of each of its checks. */
function messagesOfSchema(schema: Schema): string[] {
  const { def } = schema._zod as { def: { type: string; checks?: unknown[] } };
  // A transformation by itself takes only what the schema before it has let through.
  if (def.type === 'transform') return [];
  const said = UNFIT.flatMap((value) => {
    const { error } = z.safeParse(z.object({ field: schema }), { field: value }, requestParsing);
    return messagesOf(error?.issues.filter(({ path }) => path.length === 1) ?? []);
  });
  return [...said, ...(def.checks ?? []).flatMap((check) => messageOfCheck(check, def.type))];
}

interface CheckDef {
  check: string;
  error?: (issue: object) => string | { message: string } | undefined;
  [limit: string]: unknown;
}

function messageOfCheck(check: unknown, origin: string): string[] {
  const { def } = (check as { _zod: { def: CheckDef } })._zod;
  const issue = issueOf(def, origin);
  if (!issue) return [];
  const own = def.error?.(issue);
  return [own === undefined ? fieldMessage(issue as Issue) : typeof own === 'string' ? own : own.message];
}

/** The issue that a check raises. Its other properties do not change the message. */
function issueOf(def: CheckDef, origin: string): object | null {
  switch (def.check) {
    case 'min_length':
      if (def['minimum'] === 0) return null;
      return { code: 'too_small', origin, minimum: def['minimum'], inclusive: true };
    case 'max_length':
      return { code: 'too_big', origin, maximum: def['maximum'], inclusive: true };
    case 'length_equals':
      return { code: 'too_big', origin, maximum: def['length'], inclusive: true, exact: true };
    case 'greater_than':
      return { code: 'too_small', origin: 'number', minimum: def['value'], inclusive: def['inclusive'] };
    case 'less_than':
      return { code: 'too_big', origin: 'number', maximum: def['value'], inclusive: def['inclusive'] };
    case 'multiple_of':
      return { code: 'not_multiple_of', divisor: def['value'] };
    case 'string_format':
      return { code: 'invalid_format', format: def['format'] };
    case 'custom':
      return { code: 'custom' };
    default:
      return null;
  }
}

function innerSchemas(schema: Schema): Schema[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const { shape, options, element, innerType, in: from, out, keyType, valueType, catchall, items } = def;
  return [
    ...Object.values((shape as Record<string, Schema> | undefined) ?? {}),
    ...((options as Schema[] | undefined) ?? []),
    ...((items as Schema[] | undefined) ?? []),
    ...[element, innerType, from, out, keyType, valueType, catchall].filter((one) => one !== undefined),
  ] as Schema[];
}

const FRAGMENT =
  /^(line \{line\}: )?(a|is|are|must|was|has|have|does|can|cannot|comes|belongs|repeats|takes|applies|requires|one of) |^\{\w+\} is /;

/** Their fragments are no answers: of the environment, of a log, or of a schema and read from there. */
const NOT_FIELDS = /config\.ts$|\/(proxies|json|field-messages)\.ts$/;
const PRODUCT_FILES = /^api\/admin\/products\/file\//;

/** Everything that rules in the code say of a file of products, its rows and cells, sorted. */
export const fileMessages = (): string[] => [...new Set(fromCode((path) => PRODUCT_FILES.test(path)))].sort();

/**
 * Fragments that rules give: the only text of a list, the message of an issue that a refinement adds, what a function
 * returns, or what a name stands for.
 */
function fromCode(isRead: (path: string) => boolean): string[] {
  const found: string[] = [];
  sources.walk((node) => {
    const { fileName } = node.getSourceFile();
    if (NOT_FIELDS.test(fileName) || !isRead(fileName)) return;
    if (ts.isArrayLiteralExpression(node) && node.elements.length === 1)
      found.push(...fragments(node.elements[0]));
    if (ts.isPropertyAssignment(node) && ['message', 'why'].includes(node.name.getText()))
      found.push(...fragments(node.initializer));
    if (ts.isReturnStatement(node)) found.push(...fragments(node.expression));
    if (ts.isVariableDeclaration(node)) found.push(...fragments(node.initializer));
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) found.push(...fragments(node.body));
  });
  return found;
}

const fragments = (expression: ts.Expression | undefined): string[] =>
  expression && !ts.isCallExpression(expression)
    ? textsIn(expression, sources).filter((text) => FRAGMENT.test(text))
    : [];
