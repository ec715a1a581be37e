/** Beginnings of a cell that spreadsheets take for a formula, and characters that end a cell. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text as a cell that no spreadsheet executes: with an apostrophe before a possible formula. `unguarded` removes it,
 * so that importing an exported file changes nothing.
 */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

export const unguarded = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
