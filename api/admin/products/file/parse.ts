import { CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { refusal } from '../../../../workflows/errors';
import { invalid } from '../../../http/request/validation';
import { unguarded } from './cell';
import { COLUMNS, COUNT_COLUMN, isColumn, type Column } from './columns';

export const MOST_ROWS = 5_000;
const MOST_ROW_BYTES = 200_000;
/** The file is parsed in chunks, so that other requests are answered in between. */
const CHUNK_BYTES = 65_536;

export interface FileRow {
  /** As spreadsheets count: row 1 has the names of the columns. */
  number: number;
  /** By column, without the apostrophes of `guarded`; columns that the file does not have are left out. */
  cells: ReadonlyMap<Column, string>;
  /** The error of the row as a whole, or null. */
  error: string | null;
}

/**
 * The rows of a file of products without the empty ones. Refused: INVALID_FILE_TYPE for a file that is not text in UTF-8,
 * VALIDATION_ERROR for one that is not CSV, has too many rows or unknown columns.
 */
export async function rowsIn(file: Buffer): Promise<FileRow[]> {
  requireText(file);
  const records = await recordsIn(file);
  const [header = [], ...others] = records;
  const columns = header.map((name) => name.trim());
  const error = columnsError(columns);
  if (error) throw invalid({ file: [error] });
  return others.flatMap((cells, index) =>
    cells.every((cell) => cell.trim() === '') ? [] : [rowFrom(columns, cells, index + 2)],
  );
}

function requireText(file: Buffer): void {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    if (!text.includes('\u0000')) return;
  } catch {
    // Not UTF-8: refused below.
  }
  throw refusal('INVALID_FILE_TYPE', 'The file must be CSV in UTF-8.', { file: ['is no text in UTF-8'] });
}

async function recordsIn(file: Buffer): Promise<string[][]> {
  const chunks = Array.from({ length: Math.ceil(file.length / CHUNK_BYTES) }, (_, i) =>
    file.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  );
  const parser = parse({ bom: true, relax_column_count: true, max_record_size: MOST_ROW_BYTES });
  const records: string[][] = [];
  try {
    for await (const record of Readable.from(chunks).pipe(parser) as AsyncIterable<string[]>) {
      records.push(record);
      if (records.length > MOST_ROWS + 1) throw invalid({ file: [`has more than ${MOST_ROWS} rows`] });
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid({ file: [error.message] }) : error;
  }
  return records;
}

function columnsError(columns: readonly string[]): string | null {
  const unknown = columns.filter((name) => !isColumn(name));
  if (unknown.length > 0)
    return `has columns other than ${[...COLUMNS, COUNT_COLUMN].join(', ')}: ${unknown.slice(0, 10).join(', ').slice(0, 200)}`;
  if (new Set(columns).size < columns.length) return 'has a column twice';
  return columns.includes('sku') ? null : 'has no column sku';
}

function rowFrom(columns: readonly string[], cells: readonly string[], number: number): FileRow {
  const found = columns.flatMap((name, i) => {
    const cell = cells[i];
    return isColumn(name) && cell !== undefined ? [[name, unguarded(cell.trim())] as const] : [];
  });
  const error =
    cells.length === columns.length ? null : `has ${cells.length} cells instead of ${columns.length}`;
  return { number, cells: new Map(found), error };
}
