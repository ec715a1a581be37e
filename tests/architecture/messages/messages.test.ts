import { refusalsInCode } from './refusals';
import { listedMessages } from './listed-messages';
import { BANNED_IN_MESSAGES, ROWS } from './words';

const { byCode, successes, fields, file: ofFile } = listedMessages();
const refusals = [...byCode].flatMap(([code, messages]) => messages.map((message) => `${code}: ${message}`));
const sentences = [...refusals, ...successes.map((message) => `OK: ${message}`)];
const fragments = [...fields, ...ofFile];

test('each kind is found', () => {
  expect(refusalsInCode().length).toBeGreaterThan(300);
  expect(fields.length).toBeGreaterThan(50);
  expect(successes.length).toBeGreaterThan(20);
  expect(ofFile.length).toBeGreaterThan(10);
});

test('a refusal and what a success says are sentences: a capital at the beginning, a full stop at the end, and no unknown text', () => {
  expect(sentences.filter((sentence) => !/^[A-Z_0-9]+: ([A-Z].*|\{\w+\} .+)\.$/s.test(sentence))).toEqual([]);
});

test('what is said of a field or a file is a fragment: lower case, no full stop; of an item of a list, after the item', () => {
  expect(fragments.filter((message) => !/^(\{\w+\} )?[a-z].*[^.]$/.test(message))).toEqual([]);
});

/** Values, such as RECEIVED, are no words of ours. */
const withoutValues = (message: string): string => message.replace(/\b[A-Z_]{2,}\b/g, '');

test('nothing is said in the words of a library, of our insides, or in two words for one thing', () => {
  expect(
    [...sentences, ...fragments].filter((message) => BANNED_IN_MESSAGES.test(withoutValues(message))),
  ).toEqual([]);
  expect([...sentences, ...fields].filter((message) => ROWS.test(message))).toEqual([]);
});

test('what is not found is said in one way', () => {
  const found = [...byCode].flatMap(([code, messages]) =>
    code.endsWith('_NOT_FOUND') ? messages.filter((message) => !/^(No|Some of) /.test(message)) : [],
  );
  expect(found).toEqual([]);
});
