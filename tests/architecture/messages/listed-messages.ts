import { ERROR_MESSAGES } from '../../../workflows/error-codes';
import { fieldMessages, fileMessages } from './field-messages';
import { refusalsInCode, type ListedRefusal } from './refusals';
import { successesInCode } from './successes';

/** Every message that the API can answer: sentences by code and of successes, and what can be said of a field or a file. */
export interface ListedMessages {
  byCode: ReadonlyMap<string, readonly string[]>;
  successes: readonly string[];
  fields: readonly string[];
  file: readonly string[];
}

/** Not where a place says the default of its code, `MESSAGES.INTERNAL_ERROR`. */
const isAnswered = ({ code, message }: ListedRefusal): boolean =>
  Object.hasOwn(ERROR_MESSAGES, code) && message !== `{${code}}`;

/** Reads the messages from the code and from the endpoints' schemas; placeholders stand in braces. */
export function listedMessages(): ListedMessages {
  const byCode = new Map(
    Object.entries(ERROR_MESSAGES).map(([code, message]) => [code, new Set<string>([message])]),
  );
  for (const { code, message } of refusalsInCode().filter(isAnswered))
    byCode.set(code, (byCode.get(code) ?? new Set()).add(message));
  const sorted = [...byCode].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    byCode: new Map(sorted.map(([code, messages]) => [code, [...messages].sort()])),
    successes: successesInCode(),
    fields: fieldMessages(),
    file: fileMessages(),
  };
}
