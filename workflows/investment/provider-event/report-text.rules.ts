/** Deeper than any report is; a value within it can be walked, printed and stored by every program. */
const MOST_DEPTH = 100;

/** U+0000 and halves of surrogate pairs: JSON can hold them, PostgreSQL cannot. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The longest number; PostgreSQL refuses some of thousands of digits that are small here, and exponents of four. */
const MOST_DIGITS = 100;
const LARGE_EXPONENT = /e[+-]?\d{4}/i;
const NUMBER = /[-+.\deE]+/y;

/** A report's value; or `reason`: why it has none that the database can hold. */
export type ReportText = { value: unknown } | { reason: string };

/**
 * Reads a report's text, so that the database reads the same as this program or nothing. It judges the text and not the value,
 * which lacks what another field of the same name has replaced. Takes time in proportion to the length.
 */
export function readReportText(text: string): ReportText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'It is not JSON.' };
  }
  const reason = whyUnstorable(text);
  return reason === null ? { value } : { reason };
}

/** Why the database cannot hold this JSON; null if it can. */
function whyUnstorable(json: string): string | null {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const sign = json.charAt(at);
    if (sign === '"') {
      const end = endOfString(json, at);
      if (isUnstorable(json.slice(at, end)))
        return 'A text in it has a character that cannot be stored: U+0000, or half a surrogate pair.';
      at = end - 1;
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      const number = numberAt(json, at);
      if (!isNumberStorable(number)) return 'A number in it is too large or too long.';
      at += number.length - 1;
    } else if (sign === '[' || sign === '{') {
      if (++depth > MOST_DEPTH) return 'Its values are nested too deeply.';
    } else if (sign === ']' || sign === '}') depth--;
  }
  return null;
}

/** The place after the string that begins here. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

/** Decoded only where it has an escape: bytes that are UTF-8 have no halves of pairs, and JSON takes no bare U+0000. */
const isUnstorable = (string: string): boolean =>
  string.includes('\\u') && UNSTORABLE.test(JSON.parse(string) as string);

function numberAt(json: string, start: number): string {
  NUMBER.lastIndex = start;
  return NUMBER.exec(json)?.[0] ?? '';
}

const isNumberStorable = (number: string): boolean =>
  number.length <= MOST_DIGITS && !LARGE_EXPONENT.test(number) && Number.isFinite(Number(number));
