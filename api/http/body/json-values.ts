const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSES = new Set([0x5d, 0x7d]);
const OPENS = new Set([0x5b, 0x7b]);

/**
 * True if a JSON text has more than `most` values: numbers, strings, true, false, null, arrays and objects, nested ones
 * included. Scans the bytes without parsing and stops at the first surplus value. Meaningless for invalid JSON.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  // Each value but the first follows a comma or an opening bracket; an empty list has none.
  let values = 1;
  let opened = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte <= 0x20) continue;
    if (opened && !CLOSES.has(byte)) values++;
    opened = OPENS.has(byte);
    if (byte === COMMA) values++;
    if (values > most) return true;
    if (byte === QUOTE) at = endOfString(json, at);
  }
  return false;
}

/** The index of the closing quote of the string whose opening quote is at `start`. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (json[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}
