import { readReportText } from '../../../workflows/investment/provider-event/report-text.rules';
import { fastest } from '../../support/cost/fastest';

const report = (field: string): string => `{"type":"a","data":{${field},"amount":1}}`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const CHARACTER = 'A text in it has a character that cannot be stored: U+0000, or half a surrogate pair.';
const NUMBER = 'A number in it is too large or too long.';
const DEPTH = 'Its values are nested too deeply.';

test.each([
  ['not JSON', '{', 'It is not JSON.'],
  ['a number that is not finite', report('"note":1e999999'), NUMBER],
  ['one below zero', report('"note":-1e400'), NUMBER],
  ['one too small for the database', report('"note":1e-99999'), NUMBER],
  ['one of many digits', report(`"note":0.${'0'.repeat(20_000)}1`), NUMBER],
  ['one in a list', report('"note":[1,[2,1E+9999]]'), NUMBER],
  ['one that another replaces', report('"x":1e999999,"x":1'), NUMBER],
  ['U+0000 that another replaces', report('"x":"\\u0000","x":1'), CHARACTER],
  ['U+0000 in a name', report('"\\u0000x":1'), CHARACTER],
  ['half a pair behind an escaped quote', report('"x":"\\"\\ud83d"'), CHARACTER],
  ['depth that another replaces', report(`"x":${nested(60_000)},"x":1`), DEPTH],
  ['a depth of 101', report(`"x":${nested(99)}`), DEPTH],
])('%s is refused', (_, text, reason) => {
  expect(readReportText(text)).toEqual({ reason });
});

test.each([
  report(`"x":${nested(98)}`),
  report('"note":[-0.5,1e99,1E+5,123456789012345678901234567890]'),
  report('"x":"[[ 1e999999 \\\\u0000 \\" {","y":"\\ud83d\\ude00"'),
  report('"x":"1e999999\\\\"'),
  `[${Array.from({ length: 1_000 }, () => '[]').join(',')}]`,
  '1',
])('%s is read as it is', (text) => {
  expect(readReportText(text)).toEqual({ value: JSON.parse(text) as unknown });
});

test('a megabyte of any kind is judged about as fast as it is parsed', async () => {
  const large = 1_000_000;
  for (const text of [
    `["${'\\n'.repeat(large / 2)}"]`,
    `"${'a'.repeat(large)}"`,
    `[${'1,'.repeat(large / 2)}1]`,
  ]) {
    expect(readReportText(text)).toHaveProperty('value');
    const parsingMs = await fastest(() => JSON.parse(text) as unknown);
    expect(await fastest(() => readReportText(text))).toBeLessThan(50 * parsingMs);
  }
  expect(readReportText(`[${'1'.repeat(large)}]`)).toEqual({ reason: NUMBER });
});
