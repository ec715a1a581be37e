import type { CsvError, CsvErrorCode } from 'csv-parse';
import { COLUMNS, COUNT_COLUMN, isColumn, type Column } from './columns';

/** The signs between the cells of a file: spreadsheets whose numbers have a decimal comma write semicolons. */
const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator that the line of columns has most often; no column's name contains one. */
export function separatorIn(file: Buffer): Separator {
  const [header = ''] = file
    .subarray(0, 10_000)
    .toString('utf8')
    .split(/[\r\n]/, 1);
  const times = (separator: Separator) => header.split(separator).length - 1;
  return SEPARATORS.reduce((most, next) => (times(next) > times(most) ? next : most));
}

const FAULTS: Partial<Record<CsvErrorCode | 'INVALID_OPENING_QUOTE', string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark is followed by other text; within a cell it is written twice',
  INVALID_OPENING_QUOTE: 'a quotation mark is within a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: 'the row is too long, or a quotation mark is not closed',
};

/** The message for a file that is not CSV, with the line where the row at fault begins. */
export function syntaxFault(error: CsvError, rowsBefore: Buffer): string {
  const line = rowsBefore.toString('utf8').split(/\r\n|\r|\n/).length;
  return `line ${line}: ${FAULTS[error.code] ?? 'is not CSV'}`;
}

const EXPECTED: readonly Column[] = [...COLUMNS, COUNT_COLUMN];
const COLUMN_OF = new Map<string, Column>(EXPECTED.map((column) => [column.toLowerCase(), column]));

/** The columns of a file in their order; null is one without a name, as spreadsheets write that had it once. */
export type FileColumns = readonly (Column | null)[];

/** The columns of a header in upper or lower case, or the message for one that cannot be read. */
export function columnsIn(
  header: readonly string[],
): { columns: FileColumns; fault: null } | { columns: null; fault: string } {
  const names = header.map((name) => name.trim());
  const columns = names.map((name) => COLUMN_OF.get(name.toLowerCase()) ?? name);
  const fault = columnsFault(columns);
  return fault === null
    ? { columns: columns.map((name) => (isColumn(name) ? name : null)), fault }
    : { columns: null, fault };
}

function columnsFault(columns: readonly string[]): string | null {
  if (columns.every((name) => name === '')) return 'must begin with a line of columns';
  const named = columns.filter((name) => name !== '');
  const unknown = named.filter((name) => !isColumn(name)).map((name) => `"${name.slice(0, 50)}"`);
  if (unknown.length > 0)
    return `has unknown columns: ${unknown.slice(0, 10).join(', ')}; known are ${EXPECTED.join(', ')}`;
  const twice = named.find((name, i) => named.indexOf(name) < i);
  if (twice !== undefined) return `has the column ${twice} twice`;
  return columns.includes('sku') ? null : 'has no column sku';
}
