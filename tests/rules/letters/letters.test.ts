import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { samples } from './samples';

const file = resolve(__dirname, 'letters.txt');
const root = resolve(__dirname, '../../..');

/** Every function that writes a letter, by the file and its name. */
function written(): string[] {
  const files = readdirSync(resolve(root, 'workflows'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.letters.ts'))
    .map((path) => `workflows/${path}`);
  return files.flatMap((path) =>
    [...readFileSync(resolve(root, path), 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(
      ([, name]) => name!,
    ),
  );
}

/** Parts of letters, which the letters of other files are made of. */
const PARTS = ['orderedParagraphs'];

const contents: [title: string, content: LetterContent | string][] = Object.entries(samples).flatMap(
  ([name, ofLetter]) =>
    Object.entries(ofLetter).map(([when, content]): [string, LetterContent | string] => [
      `${name}: ${when}`,
      content,
    ]),
);

function shown([title, content]: (typeof contents)[number]): string {
  if (typeof content === 'string') return `=== ${title}\n(text message)\n\n${content}\n`;
  const { subject, text } = letter(content);
  return `=== ${title}\nSubject: ${subject}\n\n${text}\n`;
}

test('every letter has a sample', () => {
  expect(
    written()
      .filter((name) => !PARTS.includes(name))
      .sort(),
  ).toEqual(Object.keys(samples).sort());
});

test('the letters are what stands in letters.txt; WRITE_LETTERS=true writes it anew', () => {
  const now = contents.map(shown).join('\n');
  if (process.env['WRITE_LETTERS'] === 'true') writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
});

test.each(contents)('%s greets, speaks in sentences, and uses the words of the API', (_, content) => {
  const text = typeof content === 'string' ? content : letter(content).text;
  expect(text).not.toMatch(/e-mail|telephone|undefined|null|NaN|\.\./);
  if (typeof content === 'string') return;
  expect(content.greeting).toMatch(/^Hello( \S+)?,$/);
  const sentences = content.paragraphs.filter((paragraph) => typeof paragraph === 'string');
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[.!]$/s);
});
