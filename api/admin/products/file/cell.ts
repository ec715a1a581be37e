/** What spreadsheets take for a formula when a cell begins with it, and what makes them skip to the next. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text as a cell that no spreadsheet runs: with an apostrophe before what could be a formula. `unguarded` takes it
 * off again, so that a file that goes out and comes back changes nothing.
 */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

export const unguarded = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
