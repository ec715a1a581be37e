import { ZodError, type z } from 'zod';
import { refusal, type RefusalDetails } from '../../../workflows/errors';
import type { Endpoint, RequestInput } from '../endpoint';
import { messagesOf } from './field-messages';
import { inNfc, unusableText } from './text';
import { replacementsWithoutNulls, withoutNulls } from './without-nulls';

/** Validates input against the contract. Refuses with VALIDATION_ERROR, naming each field as the caller did. */
export function validated(endpoint: Endpoint, input: RequestInput): RequestInput {
  for (const part of [input.params, input.query, input.body]) {
    const details = unusableText(part);
    if (details) throw invalid(details);
  }
  try {
    return endpoint.check(inNfc(presented(endpoint, input)));
  } catch (error) {
    if (error instanceof ZodError) throw invalid(detailsOf(error));
    throw error;
  }
}

/** The input as its contract understands it: null is the same as leaving a field out, but for what a change clears. */
const presented = ({ method, body }: Endpoint, input: RequestInput): RequestInput => ({
  ...input,
  body: (method === 'patch' ? replacementsWithoutNulls : withoutNulls)(body, input.body),
});

/** Refuses fields and parameters that the contract does not know. */
export function requireAllKnown(unknown: readonly string[]): void {
  if (unknown.length > 0) throw invalid(Object.fromEntries(unknown.map((name) => [name, ['is not known']])));
}

/** The refusal of a request that violates the contract. */
export const invalid = (details: RefusalDetails, message = 'The request is not valid.') =>
  refusal('VALIDATION_ERROR', message, details);

/** Most fields of which a refusal tells: a list of thousands may be wrong in each of its items. */
const MOST_FIELDS = 100;

/** The messages by field, at most `MOST_FIELDS`: `['body', 'items', 0, 'quantity']` is `items.0.quantity`; `['body']` stays `body`. */
function detailsOf(error: ZodError): RefusalDetails {
  const issuesOf = new Map<string, z.core.$ZodIssue[]>();
  for (const issue of error.issues)
    for (const path of pathsOf(issue)) {
      const [part, ...rest] = path.map(String);
      const field = rest.length > 0 ? rest.join('.') : (part ?? 'request');
      issuesOf.set(field, [...(issuesOf.get(field) ?? []), issue]);
    }
  return Object.fromEntries(
    [...issuesOf].slice(0, MOST_FIELDS).map(([field, issues]) => [field, messagesOf(issues)]),
  );
}

const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
