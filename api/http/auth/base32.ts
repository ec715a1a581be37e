const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Encodes bytes as in RFC 4648, without padding: a multiple of five bytes needs none. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= BITS) {
      bits -= BITS;
      text += ALPHABET.charAt((held >>> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return text;
}

/** Splits a text into groups, so that long keys are easier to type. */
export const inGroups = (text: string, size: number, between: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between);
