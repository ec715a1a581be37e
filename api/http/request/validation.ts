import { ZodError, type z } from 'zod';
import { refusal, type RefusalDetails } from '../../../workflows/errors';
import type { Endpoint, RequestInput } from '../endpoint';
import { unusableText } from '../body/text';

/** Validates input against the contract. Refuses with VALIDATION_ERROR, naming each field as the caller did. */
export function validated(endpoint: Endpoint, input: RequestInput): RequestInput {
  for (const part of [input.params, input.query, input.body]) {
    const details = unusableText(part);
    if (details) throw invalid(details);
  }
  try {
    return endpoint.check(input);
  } catch (error) {
    if (error instanceof ZodError) throw invalid(detailsOf(error));
    throw error;
  }
}

/** The refusal of a request that violates the contract. */
export const invalid = (details: RefusalDetails, message = 'The request is not valid.') =>
  refusal('VALIDATION_ERROR', message, details);

/** Maps issues to fields: `['body', 'items', 0, 'quantity']` is `items.0.quantity`; `['body']` stays `body`. */
function detailsOf(error: ZodError): RefusalDetails {
  const details = new Map<string, string[]>();
  const add = (path: readonly PropertyKey[], message: string) => {
    const [part, ...rest] = path.map(String);
    const field = rest.length > 0 ? rest.join('.') : (part ?? 'request');
    const messages = details.get(field) ?? [];
    if (!messages.includes(message)) details.set(field, [...messages, message]);
  };
  for (const issue of error.issues) addIssue(issue, add);
  return Object.fromEntries(details);
}

function addIssue(
  issue: z.core.$ZodIssue,
  add: (path: readonly PropertyKey[], message: string) => void,
): void {
  if (issue.code === 'unrecognized_keys')
    for (const key of issue.keys) add([...issue.path, key], 'Unknown field');
  else add(issue.path, issue.message);
}
