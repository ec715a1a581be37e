import { capitalised } from './schema';
import { operationsOf, type Document, type Response } from './schema';

/** Makes components of refusals that several operations share, named after their codes: `OrderNotFound`. */
export function shareResponses(document: Document): void {
  const operations = operationsOf(document);
  const refusals = operations.flatMap(({ responses }) => Object.values(responses).filter(isRefusal));
  const shared = namesOf(refusals);
  const components: Record<string, Response> = {};
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = isRefusal(response) && shared.get(JSON.stringify(response));
      if (typeof name !== 'string') continue;
      components[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` } as Response;
    }
  }
  document.components.responses = components;
}

const isRefusal = (response: Response): boolean => response['x-error-codes'] !== undefined;

/** The names of refusals that occur more than once, the most frequent first; one of several alike gets a number. */
function namesOf(refusals: readonly Response[]): Map<string, string> {
  const counts = new Map<string, { count: number; base: string }>();
  for (const response of refusals) {
    const key = JSON.stringify(response);
    const { count, base } = counts.get(key) ?? { count: 0, base: nameOf(response) };
    counts.set(key, { count: count + 1, base });
  }
  const frequent = [...counts].filter(([, { count }]) => count > 1).sort(([, a], [, b]) => b.count - a.count);
  const names = new Map<string, string>();
  const used = new Map<string, number>();
  for (const [key, { base }] of frequent) {
    const number = (used.get(base) ?? 0) + 1;
    used.set(base, number);
    names.set(key, number === 1 ? base : `${base}${number}`);
  }
  return names;
}

/** `ORDER_NOT_FOUND` is `OrderNotFound`; several codes are joined by `Or`. `Replayable`: it may be a stored answer. */
function nameOf({ headers = {}, 'x-error-codes': codes = [] }: Response): string {
  const words = codes.map((code) => code.toLowerCase().split('_').map(capitalised).join(''));
  return words.join('Or') + ('Idempotent-Replayed' in headers ? 'Replayable' : '');
}
