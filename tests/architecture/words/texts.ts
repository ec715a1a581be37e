import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** A text that people read, and the line on which it begins. */
export interface Text {
  path: string;
  line: number;
  kind: 'identifier' | 'comment' | 'doc comment' | 'test name' | 'document';
  text: string;
}

const root = resolve(__dirname, '../../..');
const FOLDERS = ['activities', 'api', 'db', 'local', 'tests', 'workers', 'workflows'];
const ROOT_FILES = ['README.md', 'eslint.config.js', 'jest.config.js', '.env.example', 'docker-compose.yml'];
/** Frozen files, recorded histories, and the list of the banned words itself. */
const LEFT_OUT = /^db\/schema\/migrations\/|^tests\/replay\/.+\.json$|^tests\/architecture\/words\//;

const TEST_FUNCTIONS = /^(test|it|describe)(\.\w+)*$/;

/** All names, comments, test names and documents of the repository. */
export function textsOf(): Text[] {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...paths, ...ROOT_FILES].filter((path) => !LEFT_OUT.test(path)).flatMap(textsOfFile);
}

function textsOfFile(path: string): Text[] {
  const read = (): string => readFileSync(join(root, path), 'utf8');
  if (/\.(ts|cjs|js)$/.test(path))
    return [{ path, line: 1, kind: 'identifier', text: path }, ...textsOfSource(path, read())];
  if (path.endsWith('.md')) return linesOf(path, read(), /(.*)/, 'document');
  return ROOT_FILES.includes(path) ? linesOf(path, read(), /(?:^|\s)#\s(.*)/, 'comment') : [];
}

const linesOf = (path: string, content: string, pattern: RegExp, kind: Text['kind']): Text[] =>
  content.split('\n').flatMap((line, i) => {
    const text = pattern.exec(line)?.[1];
    return text ? [{ path, line: i + 1, kind, text }] : [];
  });

function textsOfSource(path: string, content: string): Text[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const texts: Text[] = [];
  const literals: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push(node);
    const name = declaredName(node);
    if (name) texts.push({ path, line: lineAt(name.getStart()), kind: 'identifier', text: name.text });
    const title = testName(node);
    if (title) texts.push({ path, line: lineAt(title.getStart()), kind: 'test name', text: title.getText() });
    ts.forEachChild(node, walk);
  };
  walk(source);
  return [...texts, ...commentsOf(path, withoutLiterals(content, literals), lineAt)];
}

/** The name that a declaration makes. Uses of it are not repeated, and names of packages are not ours. */
function declaredName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | null {
  if (ts.isImportSpecifier(node)) return null;
  const { name } = node as { name?: ts.Node };
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node);
  return isDeclaration && name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : null;
}

/** The first argument of `test('…')`, `describe.each(…)('…')` and the like. */
function testName(node: ts.Node): ts.Node | null {
  if (!ts.isCallExpression(node)) return null;
  const { expression } = node;
  const callee = ts.isCallExpression(expression) ? expression.expression : expression;
  const tag = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee;
  const [title] = node.arguments;
  const isTitle = title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title));
  return isTitle && TEST_FUNCTIONS.test(tag.getText()) ? title : null;
}

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

/** The text with its literals blanked, so that anything that looks like a comment is one. */
function withoutLiterals(content: string, literals: readonly ts.Node[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const literal of [...literals].sort((a, b) => a.getStart() - b.getStart())) {
    parts.push(content.slice(at, literal.getStart()), literal.getText().replace(/[^\n]/g, '_'));
    at = literal.end;
  }
  return [...parts, content.slice(at)].join('');
}

/** The comments of a text without literals; each line of `//` counts for itself. */
function commentsOf(path: string, content: string, lineAt: (position: number) => number): Text[] {
  return [...content.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)].flatMap((found) => {
    const [comment] = found;
    if (!comment.startsWith('/**')) return textsOfLines(path, comment, lineAt(found.index), 'comment');
    const text = comment.slice(3, -2).replace(/^\s*\* ?/gm, '');
    return [
      {
        path,
        line: lineAt(found.index),
        kind: 'doc comment' as const,
        text: text.replace(/\s+/g, ' ').trim(),
      },
    ];
  });
}

const textsOfLines = (path: string, text: string, line: number, kind: Text['kind']): Text[] =>
  text.split('\n').map((part, i) => ({ path, line: line + i, kind, text: part }));
