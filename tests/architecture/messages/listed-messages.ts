import { ERROR_CODES } from '../../../workflows/errors';
import { fieldMessages } from './field-messages';
import { refusalsInCode, type ListedRefusal } from './refusals';

/** Every message that the API can answer: sentences by code, and what can be said of a field. */
export interface ListedMessages {
  byCode: ReadonlyMap<string, readonly string[]>;
  fields: readonly string[];
}

const isAnswered = ({ code }: ListedRefusal): boolean => (ERROR_CODES as readonly string[]).includes(code);

/** Reads the messages from the code and from the endpoints' schemas; placeholders stand in braces. */
export function listedMessages(): ListedMessages {
  const byCode = new Map<string, Set<string>>();
  for (const { code, message } of refusalsInCode().filter(isAnswered))
    byCode.set(code, (byCode.get(code) ?? new Set()).add(message));
  const sorted = [...byCode].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    byCode: new Map(sorted.map(([code, messages]) => [code, [...messages].sort()])),
    fields: fieldMessages(),
  };
}
