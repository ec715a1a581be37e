import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERROR_CODES } from '../../../workflows/errors';
import { listedMessages } from './listed-messages';

const file = resolve(__dirname, 'messages.txt');
const { byCode, fields } = listedMessages();
const sentences = [...byCode].flatMap(([code, messages]) => messages.map((message) => `${code}: ${message}`));

/** Codes of endpoints that are not built yet, and of answers that the kit makes without a sentence of its own. */
const text = [
  ...[...byCode].map(([code, messages]) => [code, ...messages.map((message) => `  ${message}`)].join('\n')),
  ['What is said of a field', ...fields.map((message) => `  ${message}`)].join('\n'),
].join('\n\n');

test('what the API can say is what stands in messages.txt; UPDATE_MESSAGES=true writes it anew', () => {
  if (process.env['UPDATE_MESSAGES'] === 'true') writeFileSync(file, `${text}\n`);
  expect(`${text}\n`).toBe(readFileSync(file, 'utf8'));
});

test('every code has a message', () => {
  expect(ERROR_CODES.filter((code) => !byCode.has(code))).toEqual([]);
});

test('a refusal is a sentence: a capital at its beginning, a full stop at its end, and no unknown text', () => {
  expect(sentences.filter((sentence) => !/^[A-Z_0-9]+: ([A-Z].*|\{\w+\} .+)\.$/s.test(sentence))).toEqual([]);
});

test('what is said of a field is a fragment: lower case, no full stop', () => {
  expect(fields.filter((message) => !/^[a-z].*[^.]$/.test(message))).toEqual([]);
});

test('nothing is said in the words of a library, of our insides, or in two words for one thing', () => {
  const banned =
    /\b(invalid input|invalid option|expected|received|too (small|big)|e-mails?|mails?|process|workflow|checkout|rows?|telephone|pictures?|log (in|out)|there is no)\b/i;
  expect([...sentences, ...fields].filter((message) => banned.test(message))).toEqual([]);
});

test('what is not found is said in one way', () => {
  const found = [...byCode].flatMap(([code, messages]) =>
    code.endsWith('_NOT_FOUND') ? messages.filter((message) => !/^(No|Some of) /.test(message)) : [],
  );
  expect(found).toEqual([]);
});
