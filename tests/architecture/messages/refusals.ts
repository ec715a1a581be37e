import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { ERROR_CODES } from '../../../workflows/error-codes';
import { Sources, textsIn } from './texts-in-code';

/** A sentence that the API can answer, with its code; placeholders stand in braces. */
export interface ListedRefusal {
  code: string;
  message: string;
}

const root = resolve(__dirname, '../../..');
const FOLDERS = ['activities', 'api', 'workflows'];
const NOT_ANSWERED = /\.letters\.ts$|^workflows\/errors\.ts$|^api\/docs\//;

export const sources = new Sources(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
    .filter((path) => path.endsWith('.ts') && !NOT_ANSWERED.test(path))
    .map((path) =>
      ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true),
    ),
);

const isCode = (text: string): boolean => (ERROR_CODES as readonly string[]).includes(text);

/** Every refusal that the code makes, from its syntax: by a helper, or as an object with a code and a message. */
export function refusalsInCode(): ListedRefusal[] {
  const found: ListedRefusal[] = [];
  sources.walk((node) => {
    if (ts.isCallExpression(node)) found.push(...refusalsOfCall(node));
    if (ts.isObjectLiteralExpression(node)) found.push(...refusalsOfObject(node));
  });
  return found;
}

function refusalsOfCall(call: ts.CallExpression): ListedRefusal[] {
  const [first, second] = call.arguments;
  switch (call.expression.getText()) {
    case 'refusal':
      return first && second ? pairs(first, second) : [];
    case 'businessRefusal':
      return second ? messages('VALIDATION_ERROR', second) : [];
    case 'invalid':
      return second ? messages('VALIDATION_ERROR', second) : [];
    default:
      return [];
  }
}

const messages = (code: string, message: ts.Expression): ListedRefusal[] =>
  textsIn(message, sources).map((text) => ({ code, message: text }));

function pairs(code: ts.Expression, message: ts.Expression): ListedRefusal[] {
  if (ts.isStringLiteralLike(code)) return messages(code.text, message);
  const table = ts.isElementAccessExpression(message) ? sources.objectOf(message.expression) : null;
  if (table)
    return table.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) ? messages(property.name.getText(), property.initializer) : [],
    );
  return codesOf(code).flatMap((text) => messages(text, message));
}

/** The codes that a variable can have: those of its `case`, or of its declared type. */
function codesOf(code: ts.Expression): string[] {
  for (let at: ts.Node = code; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isCaseClause(at) && ts.isStringLiteral(at.expression)) return [at.expression.text];
    if (!ts.isFunctionLike(at)) continue;
    const type = at.parameters.find(({ name }) => name.getText() === code.getText())?.type?.getText() ?? '';
    const codes = [...type.matchAll(/'(\w+)'/g)].map(([, text]) => text ?? '');
    if (codes.length > 0) return codes;
  }
  return [];
}

function refusalsOfObject(object: ts.ObjectLiteralExpression): ListedRefusal[] {
  const code = sources.property(object, 'code');
  const message = sources.property(object, 'message');
  if (!code || !message || !ts.isStringLiteral(code) || !isCode(code.text)) return [];
  return messages(code.text, message);
}
