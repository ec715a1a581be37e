import ts from 'typescript';

/** The parsed files, with what has to be looked up across them. */
export class Sources {
  private readonly calls = new Map<string, ts.CallExpression[]>();
  private readonly classes = new Map<string, ts.ClassDeclaration>();
  /** Values of exported constants, which other files import. */
  private readonly constants = new Map<string, ts.Expression>();

  constructor(private readonly files: readonly ts.SourceFile[]) {
    this.walk((node) => {
      if (ts.isCallExpression(node)) {
        const name = node.expression.getText();
        this.calls.set(name, [...(this.calls.get(name) ?? []), node]);
      }
      if (ts.isClassDeclaration(node) && node.name) this.classes.set(node.name.text, node);
      if (ts.isVariableStatement(node) && node.modifiers)
        for (const { name, initializer } of node.declarationList.declarations)
          if (initializer) this.constants.set(name.getText(), initializer);
    });
  }

  walk(onNode: (node: ts.Node) => void): void {
    const walk = (node: ts.Node): void => {
      onNode(node);
      ts.forEachChild(node, walk);
    };
    this.files.forEach(walk);
  }

  /** The arguments at this place of all calls of a function. */
  argumentsAt(name: string, place: number): ts.Expression[] {
    return (this.calls.get(name) ?? []).flatMap((call) => call.arguments[place] ?? []);
  }

  /** The message that a class passes to the constructor of `Error`. */
  messageOfClass(name: string): ts.Expression | null {
    let found: ts.Expression | null = null;
    const walk = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword)
        found = node.arguments[0] ?? null;
      ts.forEachChild(node, walk);
    };
    const declared = this.classes.get(name);
    if (declared) walk(declared);
    return found;
  }

  /** The object literal that a name stands for in its file, or in the one that it is imported from. */
  objectOf(expression: ts.Expression): ts.ObjectLiteralExpression | null {
    const initializer = ts.isIdentifier(expression)
      ? (initializerOf(expression) ?? this.constants.get(expression.text))
      : expression;
    const bare = initializer && withoutCasts(initializer);
    return bare && ts.isObjectLiteralExpression(bare) ? bare : null;
  }

  property(object: ts.ObjectLiteralExpression, name: string): ts.Expression | null {
    for (const property of object.properties) {
      if (property.name?.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return property.initializer;
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
    }
    return null;
  }
}

/** The texts that an expression can be, with `{name}` where a value is put in. */
export function textsIn(expression: ts.Expression, sources: Sources, depth = 0): string[] {
  const inner = (other: ts.Expression): string[] => textsIn(other, sources, depth + 1);
  if (depth > 6) return [placeholder(expression)];
  const bare = withoutCasts(expression);
  if (ts.isStringLiteralLike(bare)) return [bare.text];
  if (ts.isConditionalExpression(bare)) return [...inner(bare.whenTrue), ...inner(bare.whenFalse)];
  if (ts.isBinaryExpression(bare) && bare.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...inner(bare.left), ...inner(bare.right)];
  if (ts.isTemplateExpression(bare))
    return bare.templateSpans.reduce<string[]>(
      (begun, span) =>
        begun.flatMap((text) => inner(span.expression).map((value) => text + value + span.literal.text)),
      [bare.head.text],
    );
  if (ts.isElementAccessExpression(bare)) {
    const values = sources.objectOf(bare.expression)?.properties ?? [];
    return values.flatMap((value) => (ts.isPropertyAssignment(value) ? inner(value.initializer) : []));
  }
  return ts.isIdentifier(bare) ? textsOfName(bare, sources, inner) : [placeholder(bare)];
}

function textsOfName(
  name: ts.Identifier,
  sources: Sources,
  inner: (expression: ts.Expression) => string[],
): string[] {
  const parameter = parameterOf(name);
  const sent = parameter && [
    ...(parameter.initializer ? [parameter.initializer] : []),
    ...sources.argumentsAt(parameter.functionName, parameter.place),
  ];
  const value = initializerOf(name);
  const thrown = messageOfThrown(name, sources);
  const candidates = thrown ? [thrown] : sent && sent.length > 0 ? sent : value ? [value] : [];
  const texts = candidates.flatMap(inner).filter((text) => !/^\{[^}]*\}$/.test(text));
  return texts.length > 0 ? [...new Set(texts)] : [placeholder(name)];
}

/** `{name}` for a value that only the running program knows. */
function placeholder(expression: ts.Expression): string {
  const called = ts.isCallExpression(expression)
    ? (expression.arguments[0] ?? expression.expression)
    : expression;
  const [name = 'value'] = /\w+(?=\W*$)/.exec(called.getText()) ?? [];
  return `{${name}}`;
}

function withoutCasts(expression: ts.Expression): ts.Expression {
  const isCast =
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression);
  return isCast ? withoutCasts(expression.expression) : expression;
}

function initializerOf(name: ts.Identifier): ts.Expression | null {
  let found: ts.Expression | null = null;
  const walk = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name.text && node.initializer)
      found ??= node.initializer;
    ts.forEachChild(node, walk);
  };
  walk(name.getSourceFile());
  return found;
}

interface Parameter {
  functionName: string;
  place: number;
  initializer?: ts.Expression;
}

/** The parameter of a named function that a name in its body stands for. */
function parameterOf(name: ts.Identifier): Parameter | null {
  for (let at: ts.Node = name; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const place = at.parameters.findIndex((parameter) => parameter.name.getText() === name.text);
    const named = at.name ?? (ts.isVariableDeclaration(at.parent) ? at.parent.name : undefined);
    if (place < 0 || !named) continue;
    const initializer = at.parameters[place]?.initializer;
    return { functionName: named.getText(), place, ...(initializer && { initializer }) };
  }
  return null;
}

/** For `message` of an error that was found to be of a class: what that class says. */
function messageOfThrown(name: ts.Identifier, sources: Sources): ts.Expression | null {
  if (name.text !== 'message') return null;
  for (let at: ts.Node = name; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isIfStatement(at)) continue;
    const [, className] = /instanceof (\w+)/.exec(at.expression.getText()) ?? [];
    if (className !== undefined) return sources.messageOfClass(className);
  }
  return null;
}
