/** Control and format characters other than white space, and every other invisible character. */
const INVISIBLE = /(?![\t-\r\u0085])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
/** White space, with NEL and the Braille blank, which `\s` does not include. */
const BLANKS = /[\s\u0085\u2800]+/gu;

/** A character that is seen: no white space, control or format character, nor one of those that are drawn as nothing. */
export const VISIBLE = /[^\s\u0085\u2800\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** A bank's reference so that references that look alike are equal: NFKC, dashes `-`, white space one space, all visible. */
export const asBankReference = (typed: string): string =>
  typed.replace(INVISIBLE, '').normalize('NFKC').replace(DASHES, '-').replace(BLANKS, ' ').trim();

/**
 * The form in which codes that people type are compared: that of a bank's reference, without white space and in capitals.
 * `code_key` of the database is the same for the codes of goods.
 */
export const codeKey = (typed: string): string =>
  Array.from(asBankReference(typed).replace(/ /g, ''), inCapitals).join('');

/** A capital letter, of letters that have one of a single character; as the database sees it. */
function inCapitals(letter: string): string {
  const capital = letter.toUpperCase();
  return Array.from(capital).length === 1 ? capital : letter;
}
