import ts from 'typescript';
import { sources } from './refusals';
import { textsIn } from './texts-in-code';

/** The body of a 429 repeats its status in the words of HTTP; contracts and the snapshots of providers are no answers. */
const NOT_ANSWERED = /^(activities|workflows)\/|^api\/(http|media|sandbox)\/|config\.ts$/;

/** The sentences of successes, sorted: each `message` of an object that an endpoint answers. */
export function successesInCode(): string[] {
  const found = new Set<string>();
  sources.walk((node) => {
    if (NOT_ANSWERED.test(node.getSourceFile().fileName)) return;
    if (!ts.isObjectLiteralExpression(node) || isOfRefusal(node)) return;
    const message = sources.property(node, 'message');
    if (!message || ts.isCallExpression(message)) return;
    for (const text of textsIn(message, sources)) if (/^[A-Z{]/.test(text)) found.add(text);
  });
  return [...found].sort();
}

/** True for the object of a refusal or of an issue of a field, which names its code. */
const isOfRefusal = (object: ts.ObjectLiteralExpression): boolean =>
  sources.property(object, 'code') !== null;
