import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const workflows = resolve(__dirname, '../../workflows');

/** A process of workflows/index.ts: its name, and the path of its files in workflows/ without their kind. */
export interface Process {
  type: string;
  path: string;
}

export const processes: Process[] = [
  ...readFileSync(join(workflows, 'index.ts'), 'utf8').matchAll(
    /^export \{ (\w+) \} from '\.\/(.+)\.workflow';$/gm,
  ),
].map(([, type, path]) => ({ type: type!, path: path! }));

/** A file: what it declares at its top level, and what it imports, by its own names. */
interface Source {
  declared: Map<string, ts.Node>;
  /** `name`: `*` for the whole file. */
  imported: Map<string, { file: string; name: string }>;
}

/** The declarations and names that the body of a process reaches, in its own file and in imported ones but the kit's. */
interface Reached {
  declarations: { source: Source; node: ts.Node }[];
  /** Names imported from contracts, with the contract's file. */
  published: { file: string; name: string }[];
  /** Names of the kit and of Temporal. */
  tools: Set<string>;
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(`${file}.ts`, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const source: Source = { declared: new Map(), imported: new Map() };
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) addImports(source, file, statement);
    else for (const name of namesDeclaredBy(statement)) source.declared.set(name, statement);
  }
  sources.set(file, source);
  return source;
}

function addImports(
  { imported }: Source,
  importer: string,
  { importClause, ...statement }: ts.ImportDeclaration,
) {
  const { text } = statement.moduleSpecifier as ts.StringLiteral;
  const file = text.startsWith('.') ? resolve(dirname(importer), text) : text;
  const bindings = importClause?.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) imported.set(bindings.name.text, { file, name: '*' });
  else
    for (const { name, propertyName } of bindings?.elements ?? [])
      imported.set(name.text, { file, name: (propertyName ?? name).text });
}

function namesDeclaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}

const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));

function walk(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => walk(child, look));
}

/** Follows every name from a declaration on. */
function follow(file: string, name: string, reached: Reached): void {
  const source = sourceOf(file);
  const node = source.declared.get(name);
  if (!node || reached.declarations.some((known) => known.node === node)) return;
  reached.declarations.push({ source, node });
  walk(node, (part) => {
    if (!ts.isIdentifier(part)) return;
    const from = source.imported.get(part.text);
    const exported = from?.name === '*' ? memberOf(part) : from?.name;
    if (!from) follow(file, part.text, reached);
    else if (exported === undefined) return;
    else if (from.file.endsWith('.contract')) reached.published.push({ file: from.file, name: exported });
    else if (!from.file.startsWith(workflows) || from.file.startsWith(join(workflows, 'kit')))
      reached.tools.add(exported);
    else follow(from.file, exported, reached);
  });
}

/** `b` of `a.b`, for a; in an expression or in a type. */
function memberOf(name: ts.Identifier): string | undefined {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === name) return parent.name.text;
  return ts.isQualifiedName(parent) && parent.left === name ? parent.right.text : undefined;
}

/** The members of an interface of activities, those that it extends included. */
function activitiesOf(file: string, name: string): string[] {
  const source = sourceOf(file);
  const node = source.declared.get(name);
  if (!node || !ts.isInterfaceDeclaration(node)) return [];
  const inherited = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression }) => {
      const from = source.imported.get(expression.getText());
      return activitiesOf(from?.file ?? file, from?.name ?? expression.getText());
    }),
  );
  return [...inherited, ...node.members.flatMap((member) => (member.name ? [member.name.getText()] : []))];
}

/** The activities that are called, or handed on to be called, with the place where they run. */
function activitiesUsed({ declarations, published, tools }: Reached): string[] {
  const known = new Set(
    published.flatMap(({ file, name }) => (name.endsWith('Activities') ? activitiesOf(file, name) : [])),
  );
  const used = canPark(tools) ? ['local activity park', 'activity unpark'] : [];
  for (const { source, node } of declarations)
    walk(node, (part) => {
      const name = unpackedName(part);
      if (name !== undefined && known.has(name)) used.push(`activity ${name}`);
      if (!ts.isPropertyAccessExpression(part) || !known.has(part.name.text)) return;
      if (source.imported.has(part.expression.getText())) return;
      for (const kind of kindsOf(part.expression, node)) used.push(`${kind} ${part.name.text}`);
    });
  return used;
}

const canPark = (tools: Reached['tools']): boolean => tools.has('parkingFor') || tools.has('Entity');

/** The kinds of activities of a proxy: `local`, `durable`, `provider(…)`, or a constant that is one of two. */
function kindsOf(proxy: ts.Expression, within: ts.Node): string[] {
  const text = proxy.getText();
  let value: ts.Expression | undefined;
  walk(within, (part) => {
    if (ts.isVariableDeclaration(part) && part.name.getText() === text) value = part.initializer;
  });
  if (value && ts.isConditionalExpression(value))
    return [...kindsOf(value.whenTrue, within), ...kindsOf(value.whenFalse, within)];
  return [(value?.getText() ?? text).startsWith('local') ? 'local activity' : 'activity'];
}

/** The name in `const { name } = proxyActivities(…)`. */
function unpackedName(part: ts.Node): string | undefined {
  if (!ts.isBindingElement(part)) return undefined;
  const { initializer } = part.parent.parent as ts.VariableDeclaration;
  return initializer?.getText().startsWith('proxyActivities') ? part.name.getText() : undefined;
}

/** The published name in that argument of every call of a function: `notify(process, key, signal)`. */
function argumentsOf({ declarations }: Reached, callee: string, index: number): Set<string> {
  const names = new Set<string>();
  for (const { node } of declarations)
    walk(node, (part) => {
      if (!ts.isCallExpression(part) || part.expression.getText() !== callee) return;
      names.add(part.arguments[index]!.getText().split('.').at(-1)!);
    });
  return names;
}

type Published = { type: string; name?: string; queue?: string } | undefined;

/** The steps that the history of a process can have: messages, activities, children. */
export function possibleSteps({ type, path }: Process): string[] {
  const reached: Reached = { declarations: [], published: [], tools: new Set() };
  follow(join(workflows, `${path}.workflow`), type, reached);
  const contract = join(workflows, `${path}.contract`);
  const own = Object.keys(jest.requireActual<object>(contract)).map((name) => ({ file: contract, name }));
  const valueOf = ({ file, name }: { file: string; name: string }): Published =>
    jest.requireActual<Record<string, Published>>(file)[name];
  const sent = argumentsOf(reached, 'notify', 2);
  const received = argumentsOf(reached, 'setHandler', 0);
  const started = argumentsOf(reached, 'startDetached', 0);
  const steps = activitiesUsed(reached);
  for (const item of [...own, ...reached.published]) {
    const value = valueOf(item);
    if (value?.type === 'update') steps.push(`update ${value.name}`);
    if (value?.type === 'signal' && sent.has(item.name)) steps.push(`sends ${value.name}`);
    if (value?.type === 'signal' && (!sent.has(item.name) || received.has(item.name)))
      steps.push(`signal ${value.name}`);
    if (value?.queue !== undefined && started.has(item.name)) steps.push(`starts ${value.type}`);
  }
  if (canPark(reached.tools)) steps.push('update retry', 'update abandon');
  if ([...reached.tools].some((tool) => /continueAsNew/i.test(tool))) steps.push('continues as new');
  return [...new Set(steps)].sort();
}
