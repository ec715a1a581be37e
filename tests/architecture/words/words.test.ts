import { bannedWords, allowed } from './banned';
import { textsOf, type Text } from './texts';

/** Words of a text in lower case, camelCase, snake_case and kebab-case split. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** The words of a text between single spaces, to match phrases. */
const phraseOf = (text: string): string => ` ${wordsOf(text).join(' ')} `;

const isAllowed = ({ path, text }: Text, word: string): boolean =>
  allowed.some(
    (exception) =>
      exception.word === word && exception.path.test(path) && (exception.text?.test(text) ?? true),
  );

/** The banned words and openings of a text, with what to write instead. */
function complaints(text: Text): string[] {
  const phrase = phraseOf(text.text);
  return bannedWords
    .filter(({ kinds, pattern }) => kinds.includes(text.kind) && pattern.test(phrase))
    .filter(({ word }) => !isAllowed(text, word))
    .map(({ word, instead }) => `${text.path}:${text.line} ${text.kind}: ${word} (${instead})`);
}

test('names, comments and documents use plain technical English', () => {
  expect([...new Set(textsOf().flatMap(complaints))].sort()).toEqual([]);
});

describe('the list finds', () => {
  const at = (kind: Text['kind'], text: string): Text => ({ path: 'db/x.ts', line: 1, kind, text });

  test.each([
    ['identifier', 'orderWishes', 'wish'],
    ['identifier', 'UNHEARD_NEWS', 'news'],
    ['identifier', 'path/of/refund-story.ts', 'story'],
    ['identifier', 'inPieces', 'pieces'],
    ['comment', 'It stands beside the table.', 'beside'],
    ['comment', 'As good as none', 'as good as'],
    ['doc comment', 'Whether it is there.', 'relative opening'],
    ['doc comment', 'What whoever asks is told.', 'whoever'],
    ['test name', 'a message that nobody heeds', 'heed'],
    ['document', 'asks for attention', 'attention'],
  ] as const)('in the %s «%s»: %s', (kind, text, word) => {
    expect(complaints(at(kind, text)).join()).toContain(`: ${word} (`);
  });

  test.each([
    ['identifier', 'needsAttentionAttribute'],
    ['identifier', 'besides'],
    ['comment', 'In addition to the table, or else alone.'],
    ['doc comment', 'Rows that are sold.'],
  ] as const)('nothing in the %s «%s»', (kind, text) => {
    expect(complaints(at(kind, text))).toEqual([]);
  });
});
