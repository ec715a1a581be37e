const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSES = new Set([0x5d, 0x7d]);
const OPENS = new Set([0x5b, 0x7b]);

/**
 * Whether a JSON text holds more than `most` values: numbers, texts, true, false, null, lists and objects, each inner
 * one too. It is told from the bytes, without building any of them, and stops at the first that is too many; of what
 * is no JSON the answer means nothing.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  // Each value but the first stands after a comma or first in what was opened. An empty list holds none.
  let values = 1;
  let opened = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte <= 0x20) continue;
    if (opened && !CLOSES.has(byte)) values++;
    opened = OPENS.has(byte);
    if (byte === COMMA) values++;
    if (values > most) return true;
    if (byte === QUOTE) at = endOfText(json, at);
  }
  return false;
}

/** Where the text ends that begins at `start`, both at their quotes. */
function endOfText(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (json[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}
