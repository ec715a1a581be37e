import { describeApi } from '../../../api/docs/document';
import { endpoints } from '../../../api/endpoints';
import { BANNED_IN_PROSE } from './words';

/** The summaries and descriptions of the document, each with its place; names in backticks and paths are left out. */
function prose(): string[] {
  const found: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const isText = typeof inner === 'string' && (key === 'summary' || key === 'description');
      if (isText) found.push(`${place}: ${inner.replace(/`[^`]*`|\/[\w/:{}-]+/g, '…')}`);
      else if (key !== 'example' && key !== 'examples') walk(inner, `${place}/${key}`);
    }
  };
  walk(JSON.parse(JSON.stringify(describeApi(endpoints))), '');
  return found;
}

test('the document has one word for each thing, the same as the messages', () => {
  const texts = prose();
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.filter((text) => BANNED_IN_PROSE.test(text.slice(text.indexOf(': '))));
  expect(found).toEqual([]);
});
