/** Letters that have no decomposition into a Latin letter and marks. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
};

/** A text without a letter or digit says nothing. */
const SAYS_SOMETHING = /[A-Za-z0-9]/;

/**
 * A text in the letters that every bank of the scheme takes: those of the EPC's Latin character set (EPC217-08), with
 * accents dropped and any other character as a full stop. It neither begins nor ends with `/` and has no `//`, as the scheme
 * demands. Empty when nothing of the text is left.
 */
export function sepaText(text: string, mostCharacters: number): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[^\x20-\x7e]/gu, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
    .replace(/\/{2,}/g, '/')
    .replace(/ {2,}/g, ' ')
    .slice(0, mostCharacters)
    .replace(/^[/ ]+|[/ ]+$/g, '');
  return SAYS_SOMETHING.test(plain) ? plain : '';
}
